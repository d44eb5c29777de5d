package cryptotest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

func TestCorpus(t *testing.T) {
	var aegis struct {
		Vectors []struct {
			Key, CT Hex
			MsgLen  int `json:"msg_len"`
		}
	}
	Corpus(t, "aegis-generated-vectors.json", &aegis)
	if len(aegis.Vectors) != 258 {
		t.Errorf("%d vectors of AEGIS", len(aegis.Vectors))
	}
	for _, v := range aegis.Vectors {
		if len(v.CT) != v.MsgLen || !bytes.Equal(v.Key, Pattern(0, len(v.Key), 1)) {
			t.Fatalf("key %x with %d bytes of ciphertext, want %d", v.Key, len(v.CT), v.MsgLen)
		}
	}
	var edge struct{ GCM, XTS []struct{ Key Hex } }
	Corpus(t, "edge-generated-vectors.json", &edge)
	if len(edge.GCM) != 48 || len(edge.XTS) != 200 {
		t.Errorf("%d edge vectors of GCM, %d of XTS", len(edge.GCM), len(edge.XTS))
	}
	var luks struct{ Vectors []struct{ CT Hex } }
	Corpus(t, "luks-vectors.json", &luks)
	if len(luks.Vectors) != 24 {
		t.Errorf("%d sectors", len(luks.Vectors))
	}
	for _, name := range []string{"none.json", "../corpus.go"} {
		if r := record(t, func(tb testing.TB) { Corpus(tb, name, new(any)) }); !r.failed {
			t.Errorf("%s is found", name)
		}
	}
	if r := record(t, func(tb testing.TB) { Corpus(tb, "luks-vectors.json", new(int)) }); !r.failed {
		t.Error("an object is decoded into an int")
	}
}

func TestShared(t *testing.T) {
	var v struct{ Vectors []json.RawMessage }
	Shared(t, "published/xts-vectors.json", &v)
	if len(v.Vectors) != 153 {
		t.Errorf("%d vectors", len(v.Vectors))
	}
}

// TestSharedAbsent works in a copy of the tree's outline, without vectors.
func TestSharedAbsent(t *testing.T) {
	top := t.TempDir()
	inner := filepath.Join(top, "main", "nested", "inner")
	write(t, filepath.Join(top, "main", "go.mod"), "// comment\nmodule "+module+"\n\ngo 1.26.0\n")
	write(t, filepath.Join(top, "main", "nested", "go.mod"), "module "+module+"/nested\n")
	write(t, filepath.Join(inner, "x.go"), "package inner\n")
	t.Chdir(inner)
	get := func(tb testing.TB) { Shared(tb, "published/x.json", new(any)) }

	t.Setenv("CIPHERWALK_REQUIRE_SHARED", "")
	if r := record(t, get); !r.skipped || r.failed {
		t.Errorf("absent vectors are not skipped: %q", r.log.String())
	}
	t.Setenv("CIPHERWALK_REQUIRE_SHARED", "1")
	if r := record(t, get); !r.failed {
		t.Error("absent vectors are skipped though required")
	}
	write(t, filepath.Join(top, "shared", "vectors", "published", "x.json"), `{}`)
	if r := record(t, get); r.failed || r.skipped {
		t.Errorf("vectors are not found: %q", r.log.String())
	}
	t.Chdir(top)
	if r := record(t, get); !r.failed {
		t.Error("vectors found outside the module")
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestHex(t *testing.T) {
	var got struct{ A, B, C, D Hex }
	if err := json.Unmarshal([]byte(`{"A":"00fF","B":"","C":null}`), &got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.A, []byte{0, 0xff}) || got.B == nil || len(got.B) != 0 || got.C != nil || got.D != nil {
		t.Errorf("%#v", got)
	}
	for _, bad := range []string{`"0"`, `"0g"`, `" 00"`, `1`, `["00"]`, `{}`, `true`} {
		var h Hex
		if json.Unmarshal([]byte(bad), &h) == nil {
			t.Errorf("%s is decoded as %x", bad, h)
		}
	}
}
