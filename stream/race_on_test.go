//go:build race

package stream_test

// raceDetector says whether it is on.
const raceDetector = true
