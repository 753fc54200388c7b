package database

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/files/database/servertest"
)

// certified returns a self-signed certificate for localhost and its key, in PEM.
func certified(t *testing.T) (certificate, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	made, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	must(t, err)
	bytes, err := x509.MarshalECPrivateKey(private)
	must(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: made}), pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: bytes})
}

// Certificates are verified according to sslmode: an untrusted one, or one for another host, is rejected.
func TestCertificates(t *testing.T) {
	_, log := servertest.Start(t)
	listener, err := net.Listen("tcp", "localhost:0")
	must(t, err)
	port := listener.Addr().(*net.TCPAddr).Port
	must(t, listener.Close())
	certificate, key := certified(t)
	other, _ := certified(t)
	folder := t.TempDir()
	own, foreign := filepath.Join(folder, "own.crt"), filepath.Join(folder, "foreign.crt")
	must(t, os.WriteFile(own, certificate, 0o600))
	must(t, os.WriteFile(foreign, other, 0o600))
	reach := func(host, mode, root string) error {
		options := url.Values{"sslmode": {mode}, "sslrootcert": {root}, "table": {"person"}}
		address, err := Parse(fmt.Sprintf("postgres://tester:%s@%s:%d/postgres?%s", servertest.Password, host, port, options.Encode()))
		must(t, err)
		return address.Reach(t.Context())
	}
	refused := func(err error, why string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), servertest.Password) {
			t.Errorf("%v, and not %s", err, why)
		}
	}
	servertest.Stop(t, log)
	servertest.Encrypted(t, log, port, certificate, key)
	must(t, reach("localhost", "verify-full", own))
	refused(reach("localhost", "verify-full", foreign), "cannot verify the certificate of the server")
	refused(reach("127.0.0.1", "verify-full", own), "cannot verify the certificate of the server")
	servertest.Stop(t, log)
	servertest.Again(t, log, fmt.Sprintf("-c listen_addresses=localhost -c port=%d", port))
	refused(reach("localhost", "verify-full", own), "does not accept encrypted connections")
	if _, err := Parse("postgres://tester:" + servertest.Password + "@localhost/postgres?table=person&sslmode=surely"); err == nil || strings.Contains(err.Error(), servertest.Password) {
		t.Errorf("a mode that there is not: %v", err)
	}
}
