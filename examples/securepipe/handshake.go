package main

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/flynn/noise"
)

const (
	protocol = "Noise_NNpsk0_25519_AESGCM_SHA256"
	pskSize  = 32
)

// handshake does the two messages of NNpsk0 (Noise, section 9.4) over conn and returns
// the keys of both directions:
//
//	-> psk, e
//	<- e, ee
//
// Whoever does not have the secret fails at the first message that they receive. Each
// message goes behind its length, as the records later do.
func handshake(conn io.ReadWriter, initiator bool, secret []byte) (send, recv [32]byte, err error) {
	s, err := noise.NewHandshakeState(noise.Config{
		CipherSuite:           noise.NewCipherSuite(noise.DH25519, noise.CipherAESGCM, noise.HashSHA256),
		Pattern:               noise.HandshakeNN,
		Initiator:             initiator,
		Prologue:              []byte("securepipe example"),
		PresharedKey:          secret,
		PresharedKeyPlacement: 0,
	})
	if err != nil {
		return send, recv, err
	}
	var first, second *noise.CipherState // from and to the initiator
	for turn := range 2 {
		if (turn == 0) == initiator {
			var message []byte
			if message, first, second, err = s.WriteMessage(nil, nil); err != nil {
				return send, recv, err
			}
			message = append(binary.BigEndian.AppendUint16(nil, uint16(len(message))), message...)
			if _, err := conn.Write(message); err != nil {
				return send, recv, err
			}
			continue
		}
		// Not a byte more than the message: what follows is for package frame.
		var length [2]byte
		if _, err := io.ReadFull(conn, length[:]); err != nil {
			return send, recv, err
		}
		message := make([]byte, binary.BigEndian.Uint16(length[:]))
		if _, err := io.ReadFull(conn, message); err != nil {
			return send, recv, err
		}
		if _, first, second, err = s.ReadMessage(nil, message); err != nil {
			return send, recv, err
		}
	}
	if first == nil || second == nil {
		return send, recv, errors.New("no keys after two messages")
	}
	if initiator {
		return first.UnsafeKey(), second.UnsafeKey(), nil
	}
	return second.UnsafeKey(), first.UnsafeKey(), nil
}
