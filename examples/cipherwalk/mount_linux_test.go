package main

import (
	"fmt"
	"testing"

	"golang.org/x/sys/unix"
)

// mountSmall mounts a file system of the given size in bytes, which only root can
// do, and not in every container.
func mountSmall(dir string, size int) error {
	return unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", size))
}

func unmount(t *testing.T, dir string) {
	if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
		t.Error(err)
	}
}
