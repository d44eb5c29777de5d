module github.com/cipherwalk/cipherwalk/examples/cipherwalk

go 1.26.0

replace github.com/cipherwalk/cipherwalk => ../..

require (
	github.com/cipherwalk/cipherwalk v0.0.0
	github.com/creack/pty v1.1.24
	github.com/schollz/progressbar/v3 v3.19.1
	golang.org/x/crypto v0.59.0
	golang.org/x/sys v0.50.0
	golang.org/x/term v0.48.0
)

require (
	github.com/mitchellh/colorstring v0.0.0-20190213212951-d06e56a500db // indirect
	github.com/rivo/uniseg v0.4.7 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
)
