package cryptotest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// EnforceFIPS runs the test that calls it again, in a process where only FIPS 140-3
// validated modules are allowed; that can only be set at the start of one. There
// every error of constructors must say so, with prefix in front. It skips the test
// where no such process can be had.
func EnforceFIPS(t *testing.T, prefix string, constructors func() []error) {
	t.Helper()
	const inside = "CIPHERWALK_TEST_FIPS"
	if os.Getenv(inside) != "" {
		for i, err := range constructors() {
			if err == nil || !strings.HasPrefix(err.Error(), prefix) || !strings.Contains(err.Error(), "FIPS 140") {
				t.Errorf("constructor %d while FIPS 140 is enforced: %v", i, err)
			}
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), inside+"=1", "GODEBUG=fips140=only")
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Skipf("this program cannot start itself, as under an emulator: %v", err)
	}
	if bytes.Contains(out, []byte("panic: fips140: ")) {
		t.Skipf("this build cannot enforce FIPS 140: %s", bytes.SplitN(out, []byte("\n"), 2)[0])
	}
	if err != nil || !bytes.Contains(out, []byte("--- PASS: "+t.Name())) {
		t.Errorf("%v\n%s", err, out)
	}
}
