# Every target is a plain command; .ci/run calls the same ones.
ARCHES = 386 amd64 arm arm64 loong64 mips mips64 mips64le mipsle ppc64 ppc64le riscv64 s390x
FUZZTIME = 10m

.PHONY: test race purego check generate build-all fuzz bench compare

test:
	go test ./...

race:
	go test -race ./...

purego:
	go test -tags purego ./...

check:
	test -z "$$(gofmt -l .)"
	for arch in amd64 arm64 386 s390x; do GOARCH=$$arch go vet ./... && GOARCH=$$arch go vet -tags purego ./... || exit 1; done
	staticcheck ./...
	staticcheck -tags purego ./...
	cd kernels/_asm && go vet ./... && staticcheck ./...
	for dir in interop examples/cipherwalk examples/securepipe; do (cd $$dir && go vet ./... && staticcheck ./...) || exit 1; done

generate:
	go generate ./kernels

build-all:
	for arch in $(ARCHES); do echo $$arch; GOARCH=$$arch go build ./... || exit 1; done
	GOOS=js GOARCH=wasm go build ./...
	GOOS=windows go build ./...
	GOOS=darwin GOARCH=arm64 go build ./...

fuzz:
	scripts/fuzz $(FUZZTIME)

bench:
	go test -run '^$$' -bench . -count 10 .

compare:
	cd interop && go run ./compare
