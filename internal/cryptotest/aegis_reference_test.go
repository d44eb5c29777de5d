package cryptotest

import (
	"bytes"
	"encoding/hex"
	"testing"
)

// The reference is held against all vectors that were published: 26 messages
// with both sizes of tags, 8 of which must not open, and 6 MACs.
func TestAEGISReferencePublished(t *testing.T) {
	var corpus struct {
		AESRound struct{ In, RK, Out Hex }
		AEAD     []struct {
			ID, Alg                 string
			Key, Nonce, AD, Msg, CT Hex
			Valid                   bool
			Tag128, Tag256          Hex
		}
		MAC []struct {
			ID, Alg                          string
			Key, Nonce, Data, Tag128, Tag256 Hex
			Tags128, Tags256                 Hex // of the lanes
		}
	}
	Shared(t, "published/aegis-vectors.json", &corpus)
	r := corpus.AESRound
	if got := aesRound([16]byte(r.In), [16]byte(r.RK)); !bytes.Equal(got[:], r.Out) {
		t.Errorf("AES round: %x, want %x", got, r.Out)
	}
	invalid := 0
	for _, v := range corpus.AEAD {
		if !v.Valid {
			invalid++
		}
		for _, want := range []Hex{v.Tag128, v.Tag256} {
			text, tag := AEGISOpen(v.Alg, v.Key, v.Nonce, v.AD, v.CT, len(want))
			if bytes.Equal(tag, want) != v.Valid || v.Valid && !bytes.Equal(text, v.Msg) {
				t.Errorf("%s: open: %x, tag %x of %x", v.ID, text, tag, want)
			}
			if !v.Valid {
				continue
			}
			ct, tag := AEGISSeal(v.Alg, v.Key, v.Nonce, v.AD, v.Msg, len(want))
			if !bytes.Equal(ct, v.CT) || !bytes.Equal(tag, want) {
				t.Errorf("%s: seal: %x and %x, want %x and %x", v.ID, ct, tag, v.CT, want)
			}
		}
	}
	if len(corpus.AEAD) != 26 || invalid != 8 || len(corpus.MAC) != 6 {
		t.Errorf("%d messages, %d of them invalid, and %d MACs, want 26, 8, and 6", len(corpus.AEAD), invalid, len(corpus.MAC))
	}
	for _, v := range corpus.MAC {
		for _, want := range []Hex{v.Tag128, v.Tag256} {
			if got := AEGISMAC(v.Alg, v.Key, v.Nonce, v.Data, len(want)); !bytes.Equal(got, want) {
				t.Errorf("%s: MAC %x, want %x", v.ID, got, want)
			}
		}
		for i, want := range []Hex{v.Tags128, v.Tags256} {
			a := newAEGIS(v.Alg, v.Key, v.Nonce)
			if (want != nil) != (len(a.lanes) > 1) {
				t.Errorf("%s: tags of lanes %x", v.ID, want)
			}
			size := 16 << i
			a.absorb(v.Data)
			a.finalize(8*len(v.Data), 8*size)
			if got := a.laneTags(size); want != nil && !bytes.Equal(got, want) {
				t.Errorf("%s: tags of lanes %x, want %x", v.ID, got, want)
			}
		}
	}
}

// TestAEGISReferenceGenerated has the generated messages, among them those of
// AEGIS-128, for which none were published in JSON.
func TestAEGISReferenceGenerated(t *testing.T) {
	var corpus struct {
		Vectors []struct {
			Alg                            string
			Key, Nonce, CT, Tag128, Tag256 Hex
			AD                             int `json:"ad_len"`
			Msg                            int `json:"msg_len"`
		}
	}
	Corpus(t, "aegis-generated-vectors.json", &corpus)
	seen := map[string]int{}
	for _, v := range corpus.Vectors {
		seen[v.Alg]++
		aad, msg := Pattern(0, v.AD, 3), Pattern(0, v.Msg, 4)
		for _, want := range []Hex{v.Tag128, v.Tag256} {
			if want == nil {
				continue // AEGIS-128
			}
			ct, tag := AEGISSeal(v.Alg, v.Key, v.Nonce, aad, msg, len(want))
			if !bytes.Equal(ct, v.CT) || !bytes.Equal(tag, want) {
				t.Errorf("%s, %d and %d bytes: tag %x, want %x", v.Alg, v.AD, v.Msg, tag, want)
			}
			if text, tag := AEGISOpen(v.Alg, v.Key, v.Nonce, aad, ct, len(want)); !bytes.Equal(text, msg) || !bytes.Equal(tag, want) {
				t.Errorf("%s, %d and %d bytes: does not open", v.Alg, v.AD, v.Msg)
			}
		}
	}
	if len(corpus.Vectors) != 258 || len(seen) != len(AEGISVariants) {
		t.Errorf("%d vectors of %d variants, want 258 of %d", len(corpus.Vectors), len(seen), len(AEGISVariants))
	}
}

// TestAESSBox has the corners of the table that FIPS 197 prints.
func TestAESSBox(t *testing.T) {
	seen := map[byte]bool{}
	for _, b := range aesSBox {
		seen[b] = true
	}
	if got := hex.EncodeToString(aesSBox[:4]) + hex.EncodeToString(aesSBox[252:]); got != "637c777bb054bb16" || len(seen) != 256 {
		t.Errorf("%s, %d different", got, len(seen))
	}
}
