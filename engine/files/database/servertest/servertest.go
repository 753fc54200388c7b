// Package servertest starts PostgreSQL and ClickHouse servers for tests. Only tests may import it.
package servertest

import (
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Password is the password of the server's user.
const Password = "not7told"

// Start starts an empty server that stops at the end of the test, and returns the address of its database and the
// path of its log; see Needed.
func Start(tb testing.TB) (address, log string) {
	tb.Helper()
	initdb, _ := Needed(tb)
	folder := tempFolder(tb, "sdcdesk-postgres-")
	as := owner(tb, folder)
	password, data := filepath.Join(folder, "password"), filepath.Join(folder, "data")
	must(tb, os.WriteFile(password, []byte(Password), 0o644))
	run(tb, as, initdb, "-D", data, "-U", "tester", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync", "--wal-segsize=1", "-A", "scram-sha-256",
		"--pwfile="+password)
	log = filepath.Join(data, "log")
	Again(tb, log)
	tb.Cleanup(func() {
		if _, err := os.Stat(filepath.Join(data, "postmaster.pid")); err == nil {
			Stop(tb, log)
		}
	})
	options := url.Values{"host": {folder}}
	return "postgres://tester:" + Password + "@/postgres?" + options.Encode(), log
}

// Stop kills the server with the given log, like a crash.
func Stop(tb testing.TB, log string) {
	tb.Helper()
	run(tb, owner(tb, log), program("pg_ctl"), "stop", "-s", "-m", "immediate", "-D", filepath.Dir(log))
}

// Again restarts a stopped server with additional options.
func Again(tb testing.TB, log string, options ...string) {
	tb.Helper()
	again(tb, log, nil, options)
}

// Full restarts a server with a limit on file sizes, which acts like a full disk.
func Full(tb testing.TB, log string, kilobytes int) {
	tb.Helper()
	again(tb, log, []string{"bash", "-c", `ulimit -f "$1" && shift && exec "$@"`, "bash", strconv.Itoa(kilobytes)}, nil)
}

// Encrypted restarts a server that accepts TLS connections at a port of localhost, with a certificate and key in
// PEM.
func Encrypted(tb testing.TB, log string, port int, certificate, key []byte) {
	tb.Helper()
	data := filepath.Dir(log)
	must(tb, os.WriteFile(filepath.Join(data, "server.crt"), certificate, 0o600))
	must(tb, os.WriteFile(filepath.Join(data, "server.key"), key, 0o600))
	for _, name := range []string{"server.crt", "server.key"} {
		owner(tb, filepath.Join(data, name))
	}
	again(tb, log, nil, []string{"-c ssl=on -c listen_addresses=localhost -c port=" + strconv.Itoa(port)})
}

func again(tb testing.TB, log string, under, options []string) {
	tb.Helper()
	data := filepath.Dir(log)
	all := append([]string{"-c listen_addresses='' -c fsync=off -c max_connections=20 -k", filepath.Dir(data)}, options...)
	run(tb, append(owner(tb, data), under...), program("pg_ctl"), "start", "-w", "-s", "-D", data, "-l", log, "-o",
		strings.Join(all, " "))
}

// Needed returns the paths of the PostgreSQL programs. It skips the test unless SDCDESK_POSTGRES is "required".
func Needed(tb testing.TB) (initdb, server string) {
	tb.Helper()
	if os.Getenv("SDCDESK_POSTGRES") != "required" {
		tb.Skip("set SDCDESK_POSTGRES=required to start a PostgreSQL server")
	}
	initdb, server = program("initdb"), program("postgres")
	if initdb == "" || server == "" {
		tb.Fatal("PostgreSQL is not installed, and SDCDESK_POSTGRES requires it")
	}
	return initdb, server
}

// tempFolder creates a folder that is removed at the end of the test: in memory if possible, because a new cluster
// has a thousand files.
func tempFolder(tb testing.TB, pattern string) string {
	tb.Helper()
	folder, err := os.MkdirTemp("/dev/shm", pattern)
	if err != nil {
		folder, err = os.MkdirTemp("", pattern)
	}
	must(tb, err)
	tb.Cleanup(func() { os.RemoveAll(folder) })
	return folder
}

// owner gives the folder to a user who may run the server, and returns a command prefix for running programs as
// that user.
func owner(tb testing.TB, folder string) []string {
	if os.Getuid() != 0 {
		return nil
	}
	nobody, err := user.Lookup("nobody")
	must(tb, err)
	uid, err := strconv.Atoi(nobody.Uid)
	must(tb, err)
	must(tb, os.Chown(folder, uid, -1))
	return []string{"runuser", "-u", "nobody", "--"}
}

// program returns the path of a PostgreSQL program, or "" if it is not installed.
func program(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if len(found) == 0 {
		return ""
	}
	return found[len(found)-1]
}

func run(tb testing.TB, as []string, command ...string) {
	tb.Helper()
	command = append(as, command...)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Dir = "/"
	var said strings.Builder
	if !strings.HasSuffix(command[len(as)], "pg_ctl") { // the server it starts would keep a pipe open
		cmd.Stdout, cmd.Stderr = &said, &said
	}
	if err := cmd.Run(); err != nil {
		tb.Fatalf("%s: %v\n%s", command, err, said.String())
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}
