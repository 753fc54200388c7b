package servertest

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// ClickHouse is a ClickHouse server. Its user Reader has read-only access.
type ClickHouse struct {
	Address string // address of its database
	Connect string // address for HTTP
	Log     string // path of its log; "" for an external server
}

// Ask executes a statement, and returns the response as tab-separated text.
func (c ClickHouse) Ask(tb testing.TB, statement string) string {
	tb.Helper()
	where, err := url.Parse(c.Connect)
	must(tb, err)
	password, _ := where.User.Password()
	request, err := http.NewRequest(http.MethodPost, where.Scheme+"://"+where.Host+"/?database="+strings.Trim(where.Path, "/"),
		strings.NewReader(statement))
	must(tb, err)
	request.Header.Set("X-ClickHouse-User", where.User.Username())
	request.Header.Set("X-ClickHouse-Key", password)
	response, err := http.DefaultClient.Do(request)
	must(tb, err)
	defer response.Body.Close()
	said, err := io.ReadAll(response.Body)
	must(tb, err)
	if response.StatusCode != http.StatusOK {
		tb.Fatalf("%s: %s", statement, said)
	}
	return strings.TrimSuffix(string(said), "\n")
}

// Reader is the name of the read-only user, whose password is Password.
const Reader = "reader"

// StartClickHouse starts an empty server that stops at the end of the test. It skips the test unless
// SDCDESK_CLICKHOUSE is "required" or the address of a database on an external server to use.
func StartClickHouse(tb testing.TB) ClickHouse {
	tb.Helper()
	there := os.Getenv("SDCDESK_CLICKHOUSE")
	if connect, is := strings.CutPrefix(there, "clickhouse://"); is {
		return ClickHouse{Address: there, Connect: "http://" + connect}
	}
	if there != "required" {
		tb.Skip("set SDCDESK_CLICKHOUSE=required to start a ClickHouse server")
	}
	program, err := exec.LookPath("clickhouse-server")
	if err != nil {
		tb.Fatal("ClickHouse is not installed, and SDCDESK_CLICKHOUSE requires it")
	}
	for range 5 { // another process may take the port first
		if server, ok := startClickHouse(tb, program); ok {
			return server
		}
	}
	tb.Fatal("the ClickHouse server does not start")
	return ClickHouse{}
}

// startClickHouse starts a server; ok is false if it ended.
func startClickHouse(tb testing.TB, program string) (c ClickHouse, ok bool) {
	tb.Helper()
	folder := tempFolder(tb, "sdcdesk-clickhouse-")
	config, port := filepath.Join(folder, "config.xml"), freePort(tb)
	must(tb, os.WriteFile(config, fmt.Appendf(nil, clickHouseConfig, folder, port, freePort(tb), freePort(tb)), 0o644))
	must(tb, os.WriteFile(filepath.Join(folder, "users.xml"), fmt.Appendf(nil, clickHouseUsers, Password, Reader), 0o644))
	command := []string{program, "--config-file=" + config}
	if owner(tb, folder) != nil { // started directly, because a server would outlive an intermediate program
		command = append([]string{"setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"}, command...)
	}
	server, ended := exec.Command(command[0], command[1:]...), make(chan error, 1)
	server.Dir = folder
	must(tb, server.Start())
	go func() {
		ended <- server.Wait()
		close(ended)
	}()
	tb.Cleanup(func() {
		server.Process.Kill()
		<-ended
	})
	at := "tester:" + Password + "@" + net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) + "/default"
	c = ClickHouse{Address: "clickhouse://" + at, Connect: "http://" + at, Log: filepath.Join(folder, "log")}
	return c, awaitServer(tb, c.Connect, ended)
}

// freePort returns an unused port.
func freePort(tb testing.TB) int {
	tb.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	must(tb, err)
	defer free.Close()
	return free.Addr().(*net.TCPAddr).Port
}

const clickHouseConfig = `<yandex><logger><level>warning</level><log>%[1]s/log</log><errorlog>%[1]s/errors</errorlog></logger>
<listen_host>127.0.0.1</listen_host><http_port>%[2]d</http_port><tcp_port>%[3]d</tcp_port>
<interserver_http_port>%[4]d</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>
<path>%[1]s/data/</path><tmp_path>%[1]s/tmp/</tmp_path><user_files_path>%[1]s/files/</user_files_path>
<format_schema_path>%[1]s/schemas/</format_schema_path><users_config>%[1]s/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>100000000</mark_cache_size></yandex>`

const clickHouseUsers = `<yandex><profiles><default><allow_experimental_low_cardinality_type>1</allow_experimental_low_cardinality_type></default><looking><readonly>1</readonly></looking></profiles>
<quotas><default></default></quotas><users>
<tester><password>%[1]s</password><networks><ip>127.0.0.0/8</ip></networks><profile>default</profile><quota>default</quota></tester>
<%[2]s><password>%[1]s</password><networks><ip>127.0.0.0/8</ip></networks><profile>looking</profile><quota>default</quota></%[2]s>
</users></yandex>`

// startWait is the timeout for starting a server.
const startWait = 60 * time.Second

// awaitServer waits until a server responds; it returns false if the server ended.
func awaitServer(tb testing.TB, connect string, ended <-chan error) bool {
	tb.Helper()
	where, err := url.Parse(connect)
	must(tb, err)
	for deadline := time.Now().Add(startWait); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		response, err := http.Get(where.Scheme + "://" + where.Host + "/")
		if err == nil {
			response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return true
			}
		}
		if len(ended) > 0 {
			return false
		}
	}
	return false
}
