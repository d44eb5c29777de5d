package cryptotest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/cipherwalk/cipherwalk/kernels"
)

// Levels runs f in a subtest for each level that this machine can run. So that
// continuous integration does not pass by testing less than it thinks, it fails
// if a level of the comma-separated list CIPHERWALK_REQUIRE_LEVELS is not among
// them, or if [kernels.Best] is not CIPHERWALK_REQUIRE_BEST.
func Levels(t *testing.T, f func(t *testing.T, level kernels.Level)) {
	t.Helper()
	levels := kernels.Levels()
	for _, unmet := range requirements(levels, kernels.Best(),
		os.Getenv("CIPHERWALK_REQUIRE_LEVELS"), os.Getenv("CIPHERWALK_REQUIRE_BEST")) {
		t.Error(unmet)
	}
	for _, level := range levels {
		t.Run(level.String(), func(t *testing.T) { f(t, level) })
	}
}

// requirements returns what is required and not met, as sentences.
func requirements(levels []kernels.Level, best kernels.Level, required, requiredBest string) []string {
	var unmet []string
	for name := range strings.SplitSeq(required, ",") {
		name = strings.TrimSpace(name)
		named := func(l kernels.Level) bool { return l.String() == name }
		if name != "" && !slices.ContainsFunc(levels, named) {
			unmet = append(unmet, fmt.Sprintf("level %s is required, but there are only %v", name, levels))
		}
	}
	if requiredBest != "" && best.String() != requiredBest {
		unmet = append(unmet, fmt.Sprintf("level %s is required to be the best, but it is %v", requiredBest, best))
	}
	return unmet
}
