package database

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
)

// clickHouse implements server for ClickHouse 18.16 and later over HTTP.
type clickHouse struct{}

func (clickHouse) locate(a *Address, where string, options, named url.Values) error {
	parsed, err := url.Parse(where)
	if err != nil {
		return errEscape
	}
	scheme, port, secure := "http", "8123", options.Get("secure")
	if secure == "1" {
		scheme, port = "https", "8443"
	}
	password := options.Get("password")
	options.Del("secure")
	options.Del("password")
	if parsed.Hostname() == "" || len(options) > 0 || secure != "" && secure != "1" {
		return fmt.Errorf("%w: write clickhouse://user@host:port/db?table=TABLE, optionally with &key=COLUMN and &secure=1", ErrAddress)
	}
	if parsed.Port() != "" {
		port = parsed.Port()
	}
	database := strings.Trim(parsed.Path, "/")
	if database == "" {
		database = "default"
	}
	connect := url.URL{Scheme: scheme, Host: hostAndPort(parsed.Hostname(), port), Path: "/" + database, User: parsed.User}
	if password != "" {
		connect.User = url.UserPassword(parsed.User.Username(), password)
	}
	a.connect = connect.String()
	if parsed.User != nil {
		parsed.User = url.User(parsed.User.Username())
	}
	if secure != "" {
		named["secure"] = []string{secure}
	}
	a.shown = withOptions(parsed, named)
	return nil
}

// hostAndPort joins host and port, with an IPv6 host in brackets.
func hostAndPort(host, port string) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + port
}

// clickHouseTransaction imitates a transaction, which ClickHouse lacks: every statement sees the current state,
// and a new table has a temporary name until it is finished.
type clickHouseTransaction struct {
	*httpClient
	table      []string // final name of the new table; nil if none
	unfinished []string // its temporary name
}

func (clickHouse) begin(ctx context.Context, a *Address, _ bool) (transaction, error) {
	client, err := newHTTPClient(a.connect)
	if err != nil {
		return nil, err
	}
	err = client.execute(ctx, "SELECT 1")
	const wrong, none, either = 193, 194, 516 // error codes: wrong password, no password, or wrong user or password
	said := new(serverError)
	if errors.As(err, &said) && slices.Contains([]int{wrong, none, either}, said.code) && client.password == "" {
		err = fmt.Errorf("%s: %w", a.shown, ErrPassword)
	}
	if err != nil {
		return nil, err
	}
	return &clickHouseTransaction{httpClient: client}, nil
}

// dropWait is the timeout for dropping an unfinished table.
const dropWait = 10 * time.Second

func (t *clickHouseTransaction) close() {
	if t.unfinished == nil {
		return
	}
	ctx, stop := context.WithTimeout(context.Background(), dropWait)
	defer stop()
	_ = t.execute(ctx, "DROP TABLE IF EXISTS "+relation(t.unfinished))
}

func (t *clickHouseTransaction) finish(ctx context.Context) error {
	if t.unfinished == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	err := t.execute(context.WithoutCancel(ctx), "RENAME TABLE "+relation(t.unfinished)+" TO "+relation(t.table))
	if !errors.As(err, new(*serverError)) { // the table exists, or its state is unknown
		t.unfinished = nil
	}
	return err
}

func (t *clickHouseTransaction) ask(ctx context.Context, statement string) (rows [][]*string, err error) {
	err = t.each(ctx, statement, func(record []byte) error {
		cells, err := cellsOf(record)
		rows = append(rows, cells)
		return err
	})
	return rows, err
}

func (t *clickHouseTransaction) tables(ctx context.Context) ([]string, error) {
	rows, err := t.ask(ctx, "SELECT name FROM system.tables WHERE database = currentDatabase() AND name NOT LIKE '.inner%' ORDER BY name")
	return firstCells(rows), err
}

// columns returns the columns of a table without computed ones.
func (t *clickHouseTransaction) columns(ctx context.Context, table []string) ([]Column, error) {
	database := "currentDatabase()"
	if len(table) > 1 {
		database = literalOfClickHouse(table[0])
	}
	rows, err := t.ask(ctx, "SELECT name, type, comment FROM system.columns WHERE database = "+database+" AND table = "+
		literalOfClickHouse(table[len(table)-1])+" AND default_kind NOT IN ('MATERIALIZED', 'ALIAS', 'EPHEMERAL')")
	columns := make([]Column, len(rows))
	for i, row := range rows {
		c := &columns[i]
		*c = Column{Name: *row[0], Declared: *row[1], Label: *row[2], class: texts}
		name, few := typeName(c.Declared)
		form, known := formsOfClickHouse[name]
		switch c.form = form; {
		case !known || strings.Contains(c.Name, `\`):
			c.unread = c.Declared
		case form == "enum" && few:
			c.form = "enum or nothing"
		case form == "date":
			c.content = microdata.Dates
		case form == "time":
			c.content = microdata.DateTimes
		case form == "truth":
			c.content = microdata.Truths
		case slices.Contains([]string{"whole", "float", "decimal"}, form):
			c.class = numbers
		}
	}
	return columns, err
}

// literalOfClickHouse returns a text as a literal of ClickHouse.
func literalOfClickHouse(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}

// formsOfClickHouse maps types to the way their cells are handled.
var formsOfClickHouse = map[string]string{"String": "text", "FixedString": "filled", "DateTime": "time", "DateTime64": "time",
	"Float32": "float", "Float64": "float", "Decimal": "decimal", "Decimal32": "decimal", "Decimal64": "decimal",
	"Decimal128": "decimal", "Decimal256": "decimal", "Int8": "whole", "Int16": "whole", "Int32": "whole",
	"Int64": "whole", "UInt8": "whole", "UInt16": "whole", "UInt32": "whole", "UInt64": "whole", "Int128": "whole",
	"Int256": "whole", "UInt128": "whole", "UInt256": "whole", "Date": "date", "Date32": "date", "UUID": "other",
	"Enum8": "enum", "Enum16": "enum", "Bool": "truth", "IPv4": "other", "IPv6": "other"}

// typeName returns the name of a type, and whether it was wrapped as nullable or low-cardinality.
func typeName(declared string) (name string, around bool) {
	base := declared
	for _, outer := range []string{"LowCardinality(", "Nullable("} {
		if inner, has := strings.CutPrefix(base, outer); has {
			base, around = strings.TrimSuffix(inner, ")"), true
		}
	}
	name, _, _ = strings.Cut(base, "(")
	return name, around
}

var (
	lastOfEnum = regexp.MustCompile(`= (-?[0-9]+)\)+$`) // the last number of an enum type
	decimalsOf = regexp.MustCompile(`([0-9]+)\)+$`)     // the number of decimals of a type
)

// cell returns texts as they are, and FixedString without its padding. A missing enum cell is not compared with
// names, because 18.16 requires one of the enum.
func (clickHouse) cell(c *Column) string {
	cell := "s." + quoted(c.Name)
	if inner, few := strings.CutPrefix(c.Declared, "LowCardinality("); few {
		cell = "CAST(" + cell + " AS " + strings.TrimSuffix(inner, ")") + ")"
	}
	switch c.form {
	case "text", "whole":
		return cell
	case "filled":
		return "replaceRegexpOne(toString(" + cell + `), '\\x00+$', '')`
	case "time":
		return "replaceOne(toString(" + cell + ", 'UTC'), ' ', 'T')"
	case "float":
		return "if(isFinite(" + cell + "), " + cell + ", NULL)"
	case "decimal":
		return withDecimals(c, "toString("+cell+")")
	case "enum or nothing":
		some := lastOfEnum.FindStringSubmatch(c.Declared)[1]
		category := strings.TrimSuffix(strings.TrimPrefix(c.Declared, "Nullable("), ")")
		return "if(isNull(" + cell + "), NULL, toString(CAST(ifNull(toInt16(" + cell + "), " + some + ") AS " + category + ")))"
	}
	return "toString(" + cell + ")"
}

// withDecimals returns the text of a cell with all decimals of its type, because later servers omit trailing
// zeros.
func withDecimals(c *Column, text string) string {
	decimals, _ := strconv.Atoi(decimalsOf.FindStringSubmatch(c.Declared)[1])
	if decimals == 0 {
		return text
	}
	point := "position(" + text + ", '.')"
	return "concat(" + text + ", substring('." + strings.Repeat("0", decimals) + "', 1 + if(" + point + " > 0, length(" + text +
		") - " + point + " + 1, 0)))"
}

func (t *clickHouseTransaction) records(ctx context.Context, table []string) (int64, error) {
	rows, err := t.ask(ctx, "SELECT count() FROM "+relation(table))
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	return strconv.ParseInt(*rows[0][0], 10, 64)
}

func (t *clickHouseTransaction) export(ctx context.Context, statement string, w io.Writer) error {
	var text []byte
	out := bufio.NewWriterSize(w, 1<<16)
	err := t.each(ctx, statement, func(record []byte) error {
		text = append(appendRecord(text[:0], record), '\n')
		_, err := out.Write(text)
		return err
	})
	if err != nil {
		return err
	}
	return out.Flush()
}

func (t *clickHouseTransaction) create(ctx context.Context, table []string, columns []newColumn) ([]string, error) {
	unfinished := slices.Clone(table)
	unfinished[len(table)-1] += "_unfinished"
	types := make([]string, len(columns))
	for i, c := range columns {
		types[i] = quoted(c.name) + " " + typeOfNew(c)
	}
	err := t.execute(ctx, "CREATE TABLE "+relation(unfinished)+" ("+strings.Join(types, ", ")+") ENGINE = MergeTree ORDER BY tuple()")
	if said := new(serverError); errors.As(err, &said) && said.code == 57 {
		return nil, fmt.Errorf("%s is left from an interrupted export, or another program is writing it: %w", strings.Join(unfinished, "."), ErrExists)
	}
	if err == nil {
		t.table, t.unfinished = table, unfinished
	}
	return unfinished, err
}

// typeOfNew returns the type of a new column: nullable if cells are missing, and with low cardinality for texts
// only, because later servers reject other such columns.
func typeOfNew(c newColumn) string {
	declared := c.declared
	inner, few := strings.CutPrefix(declared, "LowCardinality(")
	if few {
		declared = strings.TrimSuffix(inner, ")")
	}
	if c.missing && !strings.HasPrefix(declared, "Nullable(") {
		declared = "Nullable(" + declared + ")"
	}
	if few && strings.Contains(declared, "String") {
		declared = "LowCardinality(" + declared + ")"
	}
	if c.label != "" {
		declared += " COMMENT " + literalOfClickHouse(c.label)
	}
	return declared
}

func (t *clickHouseTransaction) fill(ctx context.Context, table []string, r *records, meter *progress.Meter) error {
	return r.sent(ctx, meter, func(from io.Reader) error {
		return t.insert(ctx, "INSERT INTO "+relation(table)+" ("+strings.Join(quotedAll(r.names()), ", ")+") FORMAT TabSeparated", from)
	})
}

func (clickHouse) types() (text, whole, number string) { return "String", "Int64", "Float64" }

func (clickHouse) fits(declared string, column *microdata.Column) bool {
	name, _ := typeName(declared)
	switch name {
	case "Float64":
		return true
	case "Int8", "Int16", "Int32":
		bits, _ := strconv.Atoi(strings.TrimPrefix(name, "Int"))
		return within(column, bits)
	case "Int64":
		return within(column, 54)
	}
	return false
}

// reasons describes errors by code, because messages of the server may contain values.
var reasons = map[int]string{
	16: "no such column", 36: "a value does not fit the type of its column", 44: "the server does not allow columns of this type",
	47: "no such column",
	57: "a table with this name exists", 60: "no such table",
	75: "the server cannot write to its disk, which may be full; ask the administrator", 81: "no such database; check the name after the host",
	153: "division of an integer by zero", 158: "the query would exceed the number of records that this user may read",
	159: "the query exceeded the time limit of the server", 160: "the query would exceed the time limit of the server",
	164: "this user has read-only access", 192: "unknown user or wrong password",
	193: "unknown user or wrong password", 194: "this user requires a password",
	202: "the server is too busy; try again later", 209: "a server of the cluster does not respond",
	210: "a server of the cluster does not respond", 241: "the query exceeds the memory limit of the server",
	243: "the server has no disk space left", 252: "the table currently has too many parts; try again later",
	279: "a server of the cluster does not respond", 291: "this user has no access to the database",
	307: "the query would exceed the number of bytes that this user may read", 394: "the query was cancelled on the server",
	396: "the result exceeds the size limit of the server", 497: "this user lacks the necessary privileges",
	516: "unknown user or wrong password"}

// fault returns an error with the code of the server only, because messages may contain values.
func (clickHouse) fault(err error) error {
	said := new(serverError)
	if errors.As(err, &said) {
		if strings.Contains(said.message, "clickhouse-client program") {
			return errors.New("this is the port of clickhouse-client: use the port of the HTTP interface, usually 8123")
		}
		reason, known := reasons[said.code]
		if said.code == 0 {
			return errors.New("the answer does not come from ClickHouse: check the port, usually 8123")
		}
		if !known {
			reason = "the statement failed"
		}
		return fmt.Errorf("server error: %s (ClickHouse code %d)", reason, said.code)
	}
	connecting := new(url.Error)
	switch {
	case errors.As(err, &connecting) && strings.Contains(connecting.Err.Error(), "dial "):
		return errors.New("cannot reach the server: check host and port of its HTTP interface, and that it is running")
	case errors.As(err, &connecting) && strings.Contains(connecting.Err.Error(), "malformed HTTP"):
		return errors.New("the answer is not HTTP: use the port of the HTTP interface of ClickHouse, usually 8123")
	}
	return errors.New("the connection to the server was lost, or the port is not the HTTP interface of ClickHouse, usually 8123; " +
		"check the port, then try again")
}
