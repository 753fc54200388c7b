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

// ClickHouse is a server of ClickHouse. Its user Reader may do nothing but look.
type ClickHouse struct {
	Address string // of its database
	Connect string // the same, as HTTP takes it
	Log     string // path of its log; "": the server was there before

	server *process // nil likewise
}

// process is a server that was started.
type process struct {
	folder  string
	command []string
	running *os.Process
	ended   <-chan error
}

// start starts the server; a script of bash is carried out before.
func (p *process) start(tb testing.TB, before string) {
	tb.Helper()
	command := p.command
	if before != "" {
		command = append([]string{"bash", "-c", before + `; exec "$@"`, "bash"}, command...)
	}
	server := exec.Command(command[0], command[1:]...)
	server.Dir = p.folder
	must(tb, server.Start())
	ended := make(chan error, 1)
	go func() {
		ended <- server.Wait()
		close(ended)
	}()
	p.running, p.ended = server.Process, ended
}

// Stop ends the server at once, whatever it does, as a crash does.
func (c ClickHouse) Stop() {
	c.server.running.Kill()
	<-c.server.ended
}

// Ask carries out a statement, and returns what the server answers as tab-separated text.
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

// Again starts the server again that was stopped. For it the disk is full where a file is to have more kilobytes; 0: it
// is not.
func (c ClickHouse) Again(tb testing.TB, kilobytes int) {
	tb.Helper()
	before := ""
	if kilobytes > 0 {
		before = "trap '' XFSZ; ulimit -f " + strconv.Itoa(kilobytes)
	}
	c.server.start(tb, before)
	if !awaitServer(tb, c.Connect, c.server.ended) {
		tb.Fatal("the server of ClickHouse does not start again")
	}
}

// Reader is the user who may do nothing but look, with the password of the other.
const Reader = "reader"

// Cluster is the name of the cluster that servers are which were started together, a shard each.
const Cluster = "cluster"

// Replicas is the name of the cluster of the same servers that are replicas of one shard, to all of which what is
// written goes; in Copying they are to copy it among themselves.
const (
	Replicas = "replicas"
	Copying  = "copying"
)

// StartClickHouse starts empty servers that end with the test, which is left out unless SDCDESK_CLICKHOUSE is
// "required". Where that is the address of a database of a server, tests of one server run there; those of more are
// left out.
func StartClickHouse(tb testing.TB, servers int) []ClickHouse {
	tb.Helper()
	there := os.Getenv("SDCDESK_CLICKHOUSE")
	if connect, is := strings.CutPrefix(there, "clickhouse://"); is {
		if servers > 1 {
			tb.Skip("left out: SDCDESK_CLICKHOUSE is one server")
		}
		return []ClickHouse{{Address: there, Connect: "http://" + connect}}
	}
	if there != "required" {
		tb.Skip("a server of ClickHouse is started where SDCDESK_CLICKHOUSE is \"required\"")
	}
	program, err := exec.LookPath("clickhouse-server")
	if err != nil {
		tb.Fatal("ClickHouse is not installed, and SDCDESK_CLICKHOUSE requires it")
	}
	for range 5 { // others may take a port that was free
		if started := startCluster(tb, program, servers); started != nil {
			return started
		}
	}
	tb.Fatal("the server of ClickHouse does not start")
	return nil
}

// startCluster starts servers; nil: one has ended.
func startCluster(tb testing.TB, program string, servers int) []ClickHouse {
	tb.Helper()
	var ports [3]int
	for i := range ports {
		ports[i] = freePort(tb, servers)
	}
	started := make([]ClickHouse, servers)
	for i := range started {
		host := shardHost(i)
		started[i].server = startShard(tb, program, host, ports, servers)
		started[i].Log = filepath.Join(started[i].server.folder, "log")
		at := "tester:" + Password + "@" + net.JoinHostPort(host, strconv.Itoa(ports[0])) + "/default"
		started[i].Address, started[i].Connect = "clickhouse://"+at, "http://"+at
	}
	for i := range started {
		if !awaitServer(tb, started[i].Connect, started[i].server.ended) {
			return nil
		}
	}
	return started
}

// shardHost returns where a server listens: servers of a cluster have the same ports on other loopback addresses.
func shardHost(shard int) string { return "127.0.0." + strconv.Itoa(shard+1) }

// freePort returns a port that is free on the addresses of all servers.
func freePort(tb testing.TB, servers int) int {
	tb.Helper()
	for range 100 {
		first, err := net.Listen("tcp", shardHost(0)+":0")
		must(tb, err)
		defer first.Close()
		port := first.Addr().(*net.TCPAddr).Port
		free := true
		for shard := 1; shard < servers && free; shard++ {
			other, err := net.Listen("tcp", net.JoinHostPort(shardHost(shard), strconv.Itoa(port)))
			if free = err == nil; free {
				defer other.Close()
			}
		}
		if free {
			return port
		}
	}
	tb.Fatal("no port is free")
	return 0
}

const clickHouseConfig = `<yandex><logger><level>warning</level><log>%[1]s/log</log><errorlog>%[1]s/errors</errorlog></logger>
<listen_host>%[2]s</listen_host><http_port>%[3]d</http_port><tcp_port>%[4]d</tcp_port>
<interserver_http_port>%[5]d</interserver_http_port><interserver_http_host>%[2]s</interserver_http_host>
<path>%[1]s/data/</path><tmp_path>%[1]s/tmp/</tmp_path><user_files_path>%[1]s/files/</user_files_path>
<format_schema_path>%[1]s/schemas/</format_schema_path><users_config>%[1]s/users.xml</users_config>
<default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>100000000</mark_cache_size><remote_servers>%[6]s</remote_servers></yandex>`

const clickHouseReplica = `<replica><host>%s</host><port>%d</port><user>tester</user><password>%s</password></replica>`

const clickHouseUsers = `<yandex><profiles><default><allow_experimental_low_cardinality_type>1</allow_experimental_low_cardinality_type></default><looking><readonly>1</readonly></looking></profiles>
<quotas><default></default></quotas><users>
<tester><password>%[1]s</password><networks><ip>127.0.0.0/8</ip></networks><profile>default</profile><quota>default</quota></tester>
<%[2]s><password>%[1]s</password><networks><ip>127.0.0.0/8</ip></networks><profile>looking</profile><quota>default</quota></%[2]s>
</users></yandex>`

// clusters returns what the clusters of servers are in their configuration.
func clusters(port, servers int) string {
	var replicas, shards strings.Builder
	for server := range servers {
		one := fmt.Sprintf(clickHouseReplica, shardHost(server), port, Password)
		replicas.WriteString(one)
		shards.WriteString("<shard>" + one + "</shard>")
	}
	in := func(name, shards string) string { return "<" + name + ">" + shards + "</" + name + ">" }
	return in(Cluster, shards.String()) + in(Replicas, in("shard", replicas.String())) +
		in(Copying, in("shard", "<internal_replication>true</internal_replication>"+replicas.String()))
}

// startShard starts a server of a cluster.
func startShard(tb testing.TB, program, host string, ports [3]int, servers int) *process {
	tb.Helper()
	folder, err := os.MkdirTemp("", "sdcdesk-clickhouse-")
	must(tb, err)
	tb.Cleanup(func() { os.RemoveAll(folder) })
	config := filepath.Join(folder, "config.xml")
	must(tb, os.WriteFile(config, fmt.Appendf(nil, clickHouseConfig, folder, host, ports[0], ports[1], ports[2],
		clusters(ports[1], servers)), 0o644))
	must(tb, os.WriteFile(filepath.Join(folder, "users.xml"), fmt.Appendf(nil, clickHouseUsers, Password, Reader), 0o644))
	command := []string{program, "--config-file=" + config}
	if owner(tb, folder) != nil { // started without a program between, which would outlive it
		command = append([]string{"setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"}, command...)
	}
	server := &process{folder: folder, command: command}
	server.start(tb, "")
	tb.Cleanup(func() {
		server.running.Kill()
		<-server.ended
	})
	return server
}

// startWait is how long a server may take to start.
const startWait = 60 * time.Second

// awaitServer waits until a server answers; false: it has ended.
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
