module github.com/cipherwalk/cipherwalk/interop

go 1.26.4

replace github.com/cipherwalk/cipherwalk => ../

require (
	filippo.io/age v1.3.2
	github.com/c2sp/wycheproof v0.0.0-20260902155932-3fa63dd0344a
	github.com/cipherwalk/cipherwalk v0.0.0
	github.com/ericlagergren/aegis v0.0.0-20250325060835-cd0defd64358
	github.com/flynn/noise v1.1.0
	github.com/minio/sio v0.4.1
	github.com/tink-crypto/tink-go/v2 v2.9.0
	golang.org/x/crypto v0.59.0
	golang.org/x/net v0.62.0
)

require (
	filippo.io/hpke v0.4.0 // indirect
	github.com/ericlagergren/subtle v0.0.0-20220507045147-890d697da010 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
	golang.org/x/sys v0.50.0 // indirect
	google.golang.org/protobuf v1.36.11 // indirect
)
