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

// serverError is an error returned by ClickHouse.
type serverError struct {
	code    int    // error code, the same in all versions of the server; 0 if unknown
	message string // may contain values of cells
}

// Error returns the message of the server.
func (e *serverError) Error() string {
	return fmt.Sprintf("ClickHouse: code %d: %s", e.code, e.message)
}

// httpClient sends statements to a server. It does not keep connections alive, because servers close idle ones
// after some seconds, possibly just when one is used again.
type httpClient struct {
	url, database, user, password string
	client                        *http.Client
}

// newHTTPClient returns a client for http://user:password@host:port/database, or https. The default user and
// password are CLICKHOUSE_USER and CLICKHOUSE_PASSWORD.
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

// endWait is the timeout for ending a query.
const endWait = 3 * time.Second

// mostSaid is the maximum number of bytes read of an error message.
const mostSaid = 1 << 16

// answer is the response to a statement.
type answer struct {
	client *httpClient
	id     string // query ID
	body   io.ReadCloser
	ended  bool // the query is complete
}

// send sends a statement as the request body, or as an option if there is a body. Errors of the server are of type
// *serverError.
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

// kill ends a query on the server.
func (c *httpClient) kill(id string) {
	ctx, stop := context.WithTimeout(context.Background(), endWait)
	defer stop()
	if a, err := c.send(ctx, "KILL QUERY WHERE query_id = '"+id+"' ASYNC", nil); err == nil {
		_, _ = io.Copy(io.Discard, io.LimitReader(a.body, mostSaid))
		a.body.Close()
	}
}

// close also ends an incomplete query on the server.
func (a *answer) close() {
	a.body.Close()
	if !a.ended {
		a.client.kill(a.id)
	}
}

// execute executes a statement without result rows.
func (c *httpClient) execute(ctx context.Context, statement string) error {
	return c.insert(ctx, statement, nil)
}

// insert executes a statement followed by records; from may be nil.
func (c *httpClient) insert(ctx context.Context, statement string, from io.Reader) error {
	a, err := c.send(ctx, statement, from)
	if err != nil {
		return err
	}
	defer a.close()
	return a.each(func([]byte) error { return nil })
}

// each calls take for the records of a SELECT as CSV; see answer.each.
func (c *httpClient) each(ctx context.Context, statement string, take func(record []byte) error) error {
	a, err := c.send(ctx, statement+"\nFORMAT CSV", nil)
	if err != nil {
		return err
	}
	defer a.close()
	return a.each(take)
}

// coded matches the code in an error message, which newer servers put after a line or two.
var coded = regexp.MustCompile(`(?m)^Code: ([0-9]+)[.,] .*Exception`)

// faultOf returns the error for a message of the server; code is the error code in the header, or "".
func faultOf(text, code string) *serverError {
	if found := coded.FindStringSubmatch(text); found != nil {
		code = found[1]
	}
	e := &serverError{message: strings.TrimSpace(text)}
	e.code, _ = strconv.Atoi(code)
	return e
}

// each calls take for each CSV record, which is valid until the next call. A record spans several lines if a
// quoted text does. All texts are quoted, so an error message of the server within the response does not look like
// a record.
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

// opens reports whether a part of a record ends within quotes, if it begins outside.
func opens(part []byte) bool { return bytes.Count(part, []byte{'"'})%2 == 1 }

// mayBegin reports whether a line can be the beginning of a record: a quoted text, a number, a truth value or
// NULL. Error messages begin with Code, an underscore or a line end.
func mayBegin(record []byte) bool {
	return len(record) > 0 && bytes.IndexByte([]byte(`"-+.0123456789nitf\`), record[0]) >= 0
}

// missing is a missing cell in a record.
var missing = []byte(`\N`)

// appendRecord appends a record with empty missing cells.
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

// cellsOf returns the cells of a record, nil for missing.
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
