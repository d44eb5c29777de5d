package kernels

// HardwareAES reports whether crypto/aes uses AES instructions on this machine
// while this package has no assembly for it: then the standard library is many
// times faster than Generic, and constant time as well.
func HardwareAES() bool { return hardwareAES && best == Generic }
