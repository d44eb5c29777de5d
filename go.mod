module github.com/cipherwalk/cipherwalk

go 1.26.0

require (
	github.com/valyala/bytebufferpool v1.0.0
	golang.org/x/crypto v0.59.0
	golang.org/x/sys v0.50.0
)
