package kernels_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/cipherwalk/cipherwalk/internal/cryptotest"
	"github.com/cipherwalk/cipherwalk/kernels"
)

var aegisNames = map[string]kernels.AEGIS{
	"AEGIS-128": kernels.AEGIS128, "AEGIS-128L": kernels.AEGIS128L,
	"AEGIS-128X2": kernels.AEGIS128X2, "AEGIS-128X4": kernels.AEGIS128X4,
	"AEGIS-256": kernels.AEGIS256, "AEGIS-256X2": kernels.AEGIS256X2,
	"AEGIS-256X4": kernels.AEGIS256X4,
}

// TestAEGISGenerated has the generated messages around the rates.
func TestAEGISGenerated(t *testing.T) {
	var corpus struct {
		Vectors []struct {
			Alg            string
			Key, Nonce     cryptotest.Hex
			AD             int `json:"ad_len"`
			Msg            int `json:"msg_len"`
			CT             cryptotest.Hex
			Tag128, Tag256 cryptotest.Hex
		}
	}
	cryptotest.Corpus(t, "aegis-generated-vectors.json", &corpus)
	if len(corpus.Vectors) != 258 {
		t.Errorf("%d vectors, want 258", len(corpus.Vectors))
	}
	cryptotest.Levels(t, func(t *testing.T, level kernels.Level) {
		for _, v := range corpus.Vectors {
			k := kernels.NewAEGISKey(level, aegisNames[v.Alg], v.Key)
			aad, msg := cryptotest.Pattern(0, v.AD, 3), cryptotest.Pattern(0, v.Msg, 4)
			for _, want := range [][]byte{v.Tag128, v.Tag256} {
				if want == nil {
					continue // AEGIS-128
				}
				what := fmt.Sprintf("%s, %d and %d bytes, tag of %d", v.Alg, v.AD, v.Msg, len(want))
				got, tag := make([]byte, len(msg)), make([]byte, len(want))
				kernels.AEGISMessage(k, kernels.Encrypt, tag, got, msg, v.Nonce, aad)
				if !bytes.Equal(got, v.CT) || !bytes.Equal(tag, want) {
					t.Errorf("seal %s: wrong from %d on, tag %x, want %x", what, firstDifference(got, v.CT), tag, want)
				}
				kernels.AEGISMessage(k, kernels.Decrypt, tag, got, v.CT, v.Nonce, aad)
				if !bytes.Equal(got, msg) || !bytes.Equal(tag, want) {
					t.Errorf("open %s: wrong from %d on, tag %x, want %x", what, firstDifference(got, msg), tag, want)
				}
			}
		}
	})
}
