module github.com/cipherwalk/cipherwalk/interop

go 1.26.4

replace github.com/cipherwalk/cipherwalk => ../

require (
	github.com/c2sp/wycheproof v0.0.0-20260902155932-3fa63dd0344a
	github.com/cipherwalk/cipherwalk v0.0.0
	golang.org/x/crypto v0.59.0
)

require (
	github.com/valyala/bytebufferpool v1.0.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
)
