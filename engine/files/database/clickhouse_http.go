package database

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// serverError is what ClickHouse says of a statement that it did not carry out.
type serverError struct {
	code    int    // of its kind, by which servers of all versions tell them apart; 0: none is told
	message string // may have values of cells
}

// Error returns what the server says.
func (e *serverError) Error() string {
	return fmt.Sprintf("ClickHouse: code %d: %s", e.code, e.message)
}

// httpClient asks a server. No connection outlives what was asked: servers close those that wait for some seconds, which
// may be just when one is used again.
type httpClient struct {
	url, database, user, password string
	client                        *http.Client
}

// newHTTPClient returns a client for http://user:password@host:port/database, or https. User and password are those of
// CLICKHOUSE_USER and CLICKHOUSE_PASSWORD if none are given.
func newHTTPClient(address string) (*httpClient, error) {
	where, err := url.Parse(address)
	if err != nil {
		return nil, errEscape
	}
	password, given := where.User.Password()
	if !given {
		password = os.Getenv("CLICKHOUSE_PASSWORD")
	}
	return &httpClient{url: where.Scheme + "://" + where.Host + "/", database: strings.Trim(where.Path, "/"),
		user: cmp.Or(where.User.Username(), os.Getenv("CLICKHOUSE_USER"), "default"), password: password,
		client: &http.Client{Transport: &http.Transport{DisableCompression: true, DisableKeepAlives: true},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}, nil
}

// endWait is how long a server has to take note of what is to end.
const endWait = 3 * time.Second

// mostSaid is the number of bytes that are read of what a server says of an error.
const mostSaid = 1 << 16

// answer is what comes of a statement.
type answer struct {
	client *httpClient
	id     string // of the query
	body   io.ReadCloser
	ended  bool // the server has nothing to do any more
}

// send sends a statement, as the body of a request or before one. Errors of the server are *serverError.
func (c *httpClient) send(ctx context.Context, statement string, body io.Reader) (*answer, error) {
	id := rand.Text()
	options := url.Values{"query_id": {id}, "database": {c.database}}
	if body != nil {
		options.Set("query", statement)
	} else {
		body = strings.NewReader(statement)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"?"+options.Encode(), body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("X-ClickHouse-User", c.user)
	request.Header.Set("X-ClickHouse-Key", c.password)
	response, err := c.client.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			c.kill(id)
		}
		return nil, err
	}
	code := response.Header.Get("X-ClickHouse-Exception-Code")
	if response.StatusCode == http.StatusOK && code == "" {
		return &answer{client: c, id: id, body: response.Body}, nil
	}
	defer response.Body.Close()
	said, _ := io.ReadAll(io.LimitReader(response.Body, mostSaid))
	return nil, faultOf(string(said), code)
}

// kill ends a query in the server.
func (c *httpClient) kill(id string) {
	ctx, stop := context.WithTimeout(context.Background(), endWait)
	defer stop()
	if a, err := c.send(ctx, "KILL QUERY WHERE query_id = '"+id+"' ASYNC", nil); err == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(a.body, mostSaid))
		a.body.Close()
	}
}

// close ends a query that is not done in the server, too.
func (a *answer) close() {
	a.body.Close()
	if !a.ended {
		a.client.kill(a.id)
	}
}

// execute carries out a statement without rows.
func (c *httpClient) execute(ctx context.Context, statement string) error {
	return c.insert(ctx, statement, nil)
}

// insert carries out a statement with records behind it; nil: there are none.
func (c *httpClient) insert(ctx context.Context, statement string, from io.Reader) error {
	a, err := c.send(ctx, statement, from)
	if err != nil {
		return err
	}
	defer a.close()
	return a.each(func([]byte) error { return nil })
}

// each takes the records that a SELECT returns, as CSV: see answer.each.
func (c *httpClient) each(ctx context.Context, statement string, take func(record []byte) error) error {
	a, err := c.send(ctx, statement+"\nFORMAT CSV", nil)
	if err != nil {
		return err
	}
	defer a.close()
	return a.each(take)
}

// coded finds the code in what servers say of errors; newer ones put a line or two before it.
var coded = regexp.MustCompile(`(?m)^Code: ([0-9]+)[.,] .*Exception`)

// faultOf returns the error that a server says, with the code that it told beside it; "": none.
func faultOf(text, code string) *serverError {
	if found := coded.FindStringSubmatch(text); found != nil {
		code = found[1]
	}
	e := &serverError{message: strings.TrimSpace(text)}
	e.code, _ = strconv.Atoi(code)
	return e
}

// each takes records of CSV, good until the next is taken: lines, or as many as the texts in quotes go over. All texts
// stand in quotes, so that what a server says of an error that came after it had begun to answer looks like no cell.
func (a *answer) each(take func(record []byte) error) error {
	from, long := bufio.NewReaderSize(a.body, 1<<17), []byte(nil)
	for {
		line, err := from.ReadSlice('\n')
		record := line
		if errors.Is(err, bufio.ErrBufferFull) || err == nil && opens(line) {
			long = append(long[:0], line...)
			for open := opens(line); errors.Is(err, bufio.ErrBufferFull) || err == nil && open; open = open != opens(line) {
				line, err = from.ReadSlice('\n')
				long = append(long, line...)
			}
			record = long
		}
		switch {
		case len(record) == 0 && err == io.EOF:
			a.ended = true
			return nil
		case err != nil && err != io.EOF:
			return err
		case !mayBegin(record):
			a.ended = true
			rest, _ := io.ReadAll(io.LimitReader(from, mostSaid))
			return faultOf(string(record)+string(rest), "")
		case err == io.EOF:
			return io.ErrUnexpectedEOF
		}
		if err := take(record[:len(record)-1]); err != nil {
			return err
		}
	}
}

// opens reports whether a quote is open behind a part of a record before which none is.
func opens(part []byte) bool { return bytes.Count(part, []byte{'"'})%2 == 1 }

// mayBegin reports whether a record may begin so: texts begin with a quote, numbers, truth values and NULL as they do.
// What servers say of errors begins with Code, an underscore or the end of a line.
func mayBegin(record []byte) bool {
	return len(record) > 0 && bytes.IndexByte([]byte(`"-+.0123456789nitf\`), record[0]) >= 0
}

// missing is how a missing cell stands in a record.
var missing = []byte(`\N`)

// appendRecord appends a record whose missing cells are empty.
func appendRecord(out, record []byte) []byte {
	if !bytes.Contains(record, missing) {
		return append(out, record...)
	}
	for quoted := false; len(record) > 0; record = record[1:] {
		switch {
		case record[0] == '"':
			quoted = !quoted
		case !quoted && bytes.HasPrefix(record, missing):
			record = record[1:]
			continue
		}
		out = append(out, record[0])
	}
	return out
}

// cellsOf returns the cells of a record; nil is a missing one.
func cellsOf(record []byte) (cells []*string, err error) {
	for more := true; more; {
		var cell []byte
		if len(record) == 0 || record[0] != '"' {
			if cell, record, more = bytes.Cut(record, []byte{','}); bytes.Equal(cell, missing) {
				cells = append(cells, nil)
				continue
			}
		} else {
			end := 1
			for ; end < len(record) && (record[end] != '"' || end+1 < len(record) && record[end+1] == '"'); end++ {
				if record[end] == '"' {
					end++
				}
				cell = append(cell, record[end])
			}
			if end >= len(record) {
				return nil, io.ErrUnexpectedEOF
			}
			_, record, more = bytes.Cut(record[end+1:], []byte{','})
		}
		text := string(cell)
		cells = append(cells, &text)
	}
	return cells, nil
}
