//go:build !purego

package kernels

import (
	"bytes"
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// levelOf returns the level that a file or function of the assembly is for.
func levelOf(t *testing.T, name string) Level {
	t.Helper()
	name = strings.ToLower(strings.TrimSuffix(name, "_amd64.s"))
	for level := AVX512; level > Generic; level-- {
		if strings.HasSuffix(name, strings.ToLower(level.String())) {
			if level != AVX || !strings.HasSuffix(name, "vaesavx2") {
				return level
			}
		}
	}
	t.Fatalf("%s is for no level", name)
	return 0
}

// TestRequires compares the extensions that the generator found in each
// function with the features that its level checks.
func TestRequires(t *testing.T) {
	names := map[string]features{
		"AES": featAES, "PCLMULQDQ": featPCLMULQDQ, "CMOV": 0, "SSE": 0, "SSE2": 0, "SSSE3": featSSSE3,
		"SSE4.1": featSSE41, "AVX": featAVX, "AVX2": featAVX2, "VAES": featVAES,
		"VPCLMULQDQ": featVPCLMULQDQ, "AVX512F": featAVX512F, "AVX512BW": featAVX512BW,
		"AVX512VL": featAVX512VL, "AVX512DQ": 1 << 31, "BMI2": featBMI2,
	}
	for _, file := range generated(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`// Requires: (.*)\nTEXT ·(\w+)\(SB\)`).FindAllStringSubmatch(string(text), -1)
		if len(found) == 0 || len(found) != strings.Count(string(text), "TEXT ·") {
			t.Errorf("%s: a function without a line of requirements", file)
		}
		for _, m := range found {
			level := levelOf(t, m[2])
			for _, name := range strings.Split(m[1], ", ") {
				f, known := names[name]
				if !known || f&^requirements[level] != 0 {
					t.Errorf("%s needs %s, which level %v does not check", m[2], name, level)
				}
			}
		}
	}
}

// generated returns the names of the generated assembly files.
func generated(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("*_*_amd64.s")
	if err != nil || len(files) < 5 {
		t.Fatalf("%v, %v", files, err)
	}
	return files
}

// machineCode assembles a file and returns the code of each function, one
// instruction an element.
func machineCode(t *testing.T, file string) map[string][][]byte {
	t.Helper()
	gotool, err := exec.LookPath("go")
	if err != nil {
		t.Skip("no go command to assemble with")
	}
	root, err := exec.Command(gotool, "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("no GOROOT: %v", err)
	}
	cmd := exec.Command(gotool, "tool", "asm", "-S", "-p", "kernels",
		"-I", filepath.Join(strings.TrimSpace(string(root)), "pkg", "include"), "-I", ".",
		"-o", filepath.Join(t.TempDir(), "out.o"), file)
	cmd.Env = append(os.Environ(), "GOOS="+runtime.GOOS, "GOARCH=amd64")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var (
		text    = regexp.MustCompile(`^(?:kernels\.)?(\w+)(?:<ABIInternal>)? STEXT`)
		instr   = regexp.MustCompile(`^\t0x([0-9a-f]+) \d+ \(.*\)\t(\S+)`)
		dump    = regexp.MustCompile(`^\t0x([0-9a-f]+) ((?:[0-9a-f]{2} )+)`)
		code    = map[string][][]byte{}
		name    string
		starts  []int
		content []byte
	)
	finish := func() {
		starts = append(slices.Compact(starts), len(content))
		for i := range len(starts) - 1 {
			code[name] = append(code[name], content[starts[i]:starts[i+1]])
		}
		name, starts, content = "", nil, nil
	}
	for line := range strings.Lines(string(out)) {
		if m := text.FindStringSubmatch(line); m != nil {
			if name != "" {
				finish()
			}
			name = m[1]
		} else if m := instr.FindStringSubmatch(line); m != nil && name != "" {
			if at, _ := strconv.ParseUint(m[1], 16, 32); m[2] != "TEXT" && m[2] != "PCDATA" && m[2] != "FUNCDATA" {
				starts = append(starts, int(at))
			}
		} else if m := dump.FindStringSubmatch(line); m != nil && name != "" {
			b, err := hex.DecodeString(strings.ReplaceAll(m[2], " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			content = append(content, b...)
		} else if name != "" && len(content) > 0 {
			finish()
		}
	}
	if name != "" {
		finish()
	}
	if len(code) == 0 {
		t.Fatalf("no code found in the listing of %s", file)
	}
	return code
}

// TestEncoding looks at the first bytes of every instruction. EVEX faults on a
// CPU without AVX-512, and VEX without AVX; legacy vector instructions behind a
// use of the upper halves run at half speed.
func TestEncoding(t *testing.T) {
	const codeLimit = 12 << 10 // bytes of an algorithm at a level
	for _, file := range generated(t) {
		level := levelOf(t, file)
		total := 0
		for name, code := range machineCode(t, file) {
			size := len(bytes.Join(code, nil))
			total += size
			var evex, vex, legacy int
			for _, ins := range code {
				switch kind(ins) {
				case 'E':
					evex++
				case 'V':
					vex++
				case 'L':
					legacy++
				}
			}
			t.Logf("%s: %d bytes, %d EVEX, %d VEX, %d legacy", name, size, evex, vex, legacy)
			ok := false
			switch level {
			case AESNI:
				ok = evex == 0 && vex == 0 && legacy > 0
			case AVX, VAESAVX2:
				ok = evex == 0 && vex > 0 && legacy == 0
			case AVX512VL, AVX512:
				ok = evex > 0 && legacy == 0
			}
			if !ok {
				t.Errorf("%s: wrong encodings for level %v: %d EVEX, %d VEX, %d legacy", name, level, evex, vex, legacy)
			}
			if vex+evex > 0 {
				checkVZEROUPPER(t, name, code)
			}
		}
		if total > codeLimit {
			t.Errorf("%s: %d bytes of code, limit %d", file, total, codeLimit)
		}
	}
}

// kind tells EVEX, VEX, legacy vector and other instructions apart. In 64-bit
// mode the bytes 62, C4 and C5 are nothing else.
func kind(ins []byte) byte {
	switch ins[0] {
	case 0x62:
		return 'E'
	case 0xc4, 0xc5:
		return 'V'
	}
	// Legacy: prefixes, then 0F and an opcode that uses XMM registers.
	i := 0
	mandatory := false
	for ins[i] == 0x66 || ins[i] == 0xf2 || ins[i] == 0xf3 || ins[i]&0xf0 == 0x40 {
		mandatory = mandatory || ins[i]&0xf0 != 0x40
		i++
	}
	if ins[i] != 0x0f || i+1 >= len(ins) {
		return 'O'
	}
	switch op := ins[i+1]; {
	case op>>4 == 8, op == 0xaf, op == 0x1f: // Jcc, IMUL, NOP
		return 'O'
	case mandatory, op >= 0x10 && op <= 0x17, op >= 0x28 && op <= 0x2f, op >= 0x50 && op <= 0x7f, op >= 0xd0:
		return 'L'
	}
	return 'O'
}

// checkVZEROUPPER demands C5 F8 77 right before every RET.
func checkVZEROUPPER(t *testing.T, name string, code [][]byte) {
	t.Helper()
	for i, ins := range code {
		if !bytes.Equal(ins, []byte{0xc3}) {
			continue
		}
		// The frame may be torn down in between.
		clean := false
		for j := i - 1; j >= max(i-4, 0); j-- {
			clean = clean || bytes.Equal(code[j], []byte{0xc5, 0xf8, 0x77})
		}
		if !clean {
			t.Errorf("%s: a return without VZEROUPPER", name)
		}
	}
}
