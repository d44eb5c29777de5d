module github.com/cipherwalk/cipherwalk/examples/securepipe

go 1.26.0

replace github.com/cipherwalk/cipherwalk => ../..

require (
	github.com/cipherwalk/cipherwalk v0.0.0-00010101000000-000000000000
	github.com/flynn/noise v1.1.0
)

require (
	github.com/valyala/bytebufferpool v1.0.0 // indirect
	golang.org/x/crypto v0.59.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
