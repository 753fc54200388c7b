package clickhouse

import (
	"bufio"
	"context"
	"crypto/rand"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Error is what a server says of a statement that it did not carry out.
type Error struct {
	Code    int    // of its kind, by which servers of all versions tell them apart; 0: none is told
	Message string // may have values of cells
}

// Error returns what the server says.
func (e *Error) Error() string { return fmt.Sprintf("ClickHouse: code %d: %s", e.Code, e.Message) }

// endWait is how long a server has to take note of what is to end.
const endWait = 3 * time.Second

// answer is what comes of a statement that was asked.
type answer struct {
	connection *connection
	id         string // of the query
	body       io.ReadCloser
}

// ask sends a statement with what travels beside it.
func (c *connection) ask(ctx context.Context, statement string, values []driver.NamedValue) (*answer, error) {
	statement, relations, settings := beside(statement, values)
	id := rand.Text()
	options := url.Values{"query_id": {id}, "database": {c.database}}
	for _, s := range settings {
		options.Set(s.Name, s.Value)
	}
	stop := c.watch(ctx, id)
	response, err := c.send(ctx, options, statement, relations)
	stop()
	if err != nil {
		if ctx.Err() != nil {
			c.end(id)
		}
		return nil, err
	}
	a := &answer{connection: c, id: id, body: response.Body}
	code := response.Header.Get("X-ClickHouse-Exception-Code")
	if response.StatusCode == http.StatusOK && code == "" {
		return a, nil
	}
	defer response.Body.Close()
	said, err := io.ReadAll(io.LimitReader(response.Body, mostSaid))
	if err != nil && ctx.Err() != nil {
		c.end(id)
		return nil, err
	}
	return nil, faultOf(string(said), code)
}

// send sends a statement, as a form where relations travel with it.
func (c *connection) send(ctx context.Context, options url.Values, statement string, relations []*Relation) (
	*http.Response, error) {
	if len(relations) == 0 {
		return c.post(ctx, options, strings.NewReader(statement), int64(len(statement)), "text/plain")
	}
	var length counter
	form := multipart.NewWriter(&length)
	if err := writeForm(form, &length, statement, relations); err != nil {
		return nil, err
	}
	read, write := io.Pipe()
	sent := multipart.NewWriter(write)
	if err := sent.SetBoundary(form.Boundary()); err != nil {
		return nil, err
	}
	go func() { write.CloseWithError(writeForm(sent, write, statement, relations)) }()
	response, err := c.post(ctx, options, read, int64(length), sent.FormDataContentType())
	if err != nil {
		read.Close()
	}
	return response, err
}

// counter counts bytes. A length that is told before leaves a server nothing to read behind a form, which 18.16 does
// not do: it closes the connection, and its answer may be lost.
type counter int64

// Write counts.
func (c *counter) Write(bytes []byte) (int, error) {
	*c += counter(len(bytes))
	return len(bytes), nil
}

func (c *connection) post(ctx context.Context, options url.Values, body io.Reader, length int64, kind string) (
	*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url+"?"+options.Encode(), body)
	if err != nil {
		return nil, err
	}
	request.ContentLength = length
	request.Header.Set("Content-Type", kind)
	request.Header.Set("X-ClickHouse-User", c.user)
	request.Header.Set("X-ClickHouse-Key", c.password)
	return c.client.Do(request)
}

// writeForm writes a statement and relations as a form, structures first.
func writeForm(form *multipart.Writer, to io.Writer, statement string, relations []*Relation) error {
	fields := [][2]string{}
	for _, r := range relations {
		fields = append(fields, [2]string{r.Name + "_structure", r.structure()},
			[2]string{r.Name + "_format", "TabSeparated"})
	}
	for _, field := range append(fields, [2]string{"query", statement}) {
		if err := form.WriteField(field[0], field[1]); err != nil {
			return err
		}
	}
	for _, r := range relations {
		part, err := form.CreateFormFile(r.Name, r.Name)
		if err != nil {
			return err
		}
		buffered := bufio.NewWriterSize(part, 1<<16)
		if err := errors.Join(r.write(buffered), buffered.Flush()); err != nil {
			return err
		}
	}
	_, err := io.WriteString(to, "\r\n--"+form.Boundary()+"--") // nothing behind it
	return err
}

// end ends a query in the server.
func (c *connection) end(id string) {
	ctx, stop := context.WithTimeout(context.Background(), endWait)
	defer stop()
	response, err := c.send(ctx, url.Values{}, "KILL QUERY WHERE query_id = '"+id+"' ASYNC", nil)
	if err == nil {
		io.Copy(io.Discard, io.LimitReader(response.Body, 1<<16))
		response.Body.Close()
	}
}

// mostSaid is how many bytes are read of what a server says of an error.
const mostSaid = 1 << 16

// coded finds the code in what servers say of errors; newer ones put a line or two before it.
var coded = regexp.MustCompile(`(?m)^Code: ([0-9]+)[.,] .*Exception`)

// faultOf returns the error that a server says, with the code that it told beside it; "": none.
func faultOf(text, code string) *Error {
	if found := coded.FindStringSubmatch(text); found != nil {
		code = found[1]
	}
	e := &Error{Message: strings.TrimSpace(text)}
	e.Code, _ = strconv.Atoi(code)
	return e
}
