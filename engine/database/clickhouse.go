package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	driven "github.com/sdcdesk/sdcdesk/engine/database/clickhouse"

	"github.com/sdcdesk/sdcdesk/engine/data/draws"
)

// clickhouse is the dialect of ClickHouse 18.16 and later.
type clickhouse struct{ standard }

func (clickhouse) locate(a *Address, where string, options, named url.Values) error {
	parsed, err := url.Parse(where)
	if err != nil {
		return fmt.Errorf("%w: write %%40 for @, %%2F for / and so on in names and passwords", ErrAddress)
	}
	scheme, port, secure := "http", "8123", options.Get("secure")
	if secure == "1" {
		scheme, port = "https", "8443"
	}
	password := options.Get("password")
	options.Del("secure")
	options.Del("password")
	if parsed.Hostname() == "" || len(options) > 0 || secure != "" && secure != "1" {
		return fmt.Errorf("%w: write clickhouse://user@host:port/db?table=TABLE, and perhaps &key=COLUMN and &secure=1",
			ErrAddress)
	}
	if parsed.Port() != "" {
		port = parsed.Port()
	}
	database, host := strings.Trim(parsed.Path, "/"), parsed.Hostname()
	if database == "" {
		database = "default"
	}
	connect := url.URL{Scheme: scheme, Host: hostAndPort(host, port), Path: "/" + database, User: parsed.User}
	if password != "" {
		connect.User = url.UserPassword(parsed.User.Username(), password)
	}
	a.connect, a.place = connect.String(), connect.Host+connect.Path
	if parsed.User != nil {
		parsed.User = url.User(parsed.User.Username())
	}
	if secure != "" {
		named["secure"] = []string{secure}
	}
	a.shown = withOptions(parsed, named)
	return nil
}

// hostAndPort joins both as addresses have them.
func hostAndPort(host, port string) string {
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + port
}

// begin begins what looks like a transaction: each statement sees the data as they are when it is asked.
func (clickhouse) begin(ctx context.Context, a *Address, _ bool) (*sql.Tx, func(), error) {
	db, err := sql.Open("clickhouse", a.connect)
	if err != nil {
		return nil, nil, err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		db.Close()
		return nil, nil, err
	}
	end := func() { tx.Rollback(); db.Close() }
	if _, err = tx.ExecContext(ctx, "SELECT 1"); err == nil {
		return tx, end, nil
	}
	end()
	const wrong, none, either = 193, 194, 516 // of passwords; either: that of the user, or the user
	said := new(driven.Error)
	if errors.As(err, &said) && slices.Contains([]int{wrong, none, either}, said.Code) && !driven.HasPassword(a.connect) {
		err = fmt.Errorf("%s: %w", a.shown, ErrPassword)
	}
	return nil, nil, err
}

func (clickhouse) watched(ctx context.Context, tell func(done, all int64)) context.Context {
	return driven.WithProgress(ctx, tell)
}

// literal returns a text as SQL of ClickHouse takes it.
func literal(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(text) + "'"
}

// within returns a condition on the columns of system tables for those of the table.
func (d clickhouse) within(a *Address) string {
	database := "currentDatabase()"
	if len(a.table) > 1 {
		database = literal(a.table[0])
	}
	return "database = " + database + " AND table = " + literal(a.table[len(a.table)-1])
}

func (d clickhouse) columns(ctx context.Context, tx *sql.Tx, a *Address) (columns []Column, newest string, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT name, type, comment FROM system.columns WHERE "+d.within(a)+
		" AND default_kind NOT IN ('MATERIALIZED', 'ALIAS', 'EPHEMERAL')")
	if err != nil {
		return nil, "", err
	}
	defer rows.Close()
	for rows.Next() {
		var c Column
		if err := rows.Scan(&c.Name, &c.declared, &c.Label); err != nil {
			return nil, "", err
		}
		if c.form = formOf(c.declared); strings.Contains(c.Name, `\`) {
			c.form = ""
		}
		columns = append(columns, c)
	}
	return columns, "0", rows.Err()
}

// forms are what cells of types are handled as.
var forms = map[string]string{"String": "text", "FixedString": "filled", "DateTime": "time", "DateTime64": "time",
	"Float32": "float", "Float64": "float", "Decimal": "decimal", "Decimal32": "decimal", "Decimal64": "decimal",
	"Decimal128": "decimal", "Decimal256": "decimal", "Int8": "whole", "Int16": "whole", "Int32": "whole",
	"Int64": "whole", "UInt8": "whole", "UInt16": "whole", "UInt32": "whole", "UInt64": "whole", "Int128": "other",
	"Int256": "other", "UInt128": "other", "UInt256": "other", "Date": "other", "Date32": "other", "UUID": "other",
	"Enum8": "enum", "Enum16": "enum", "Bool": "other", "IPv4": "other", "IPv6": "other"}

// formOf returns what cells of a type are handled as; "": no text stands for them.
func formOf(declared string) string {
	base := declared
	for _, around := range []string{"LowCardinality(", "Nullable("} {
		if inner, has := strings.CutPrefix(base, around); has {
			base = strings.TrimSuffix(inner, ")")
		}
	}
	name, _, _ := strings.Cut(base, "(")
	form := forms[name]
	if form == "enum" && base != declared {
		return "enum or nothing"
	}
	return form
}

// lastOfEnum finds the last number of a type of categories.
var lastOfEnum = regexp.MustCompile(`= (-?[0-9]+)\)+$`)

// cell returns cells of columns of few values like those of others.
func (clickhouse) cell(c *Column, expression string) string {
	if inner, few := strings.CutPrefix(c.declared, "LowCardinality("); few {
		return "CAST(" + expression + " AS " + strings.TrimSuffix(inner, ")") + ")"
	}
	return expression
}

// text returns texts as they are, FixedString without the bytes that fill it up. NULL among categories is kept
// away from their names, since 18.16 looks for one that it has.
func (d clickhouse) text(c *Column, expression string) string {
	expression = d.cell(c, expression)
	switch c.form {
	case "text":
		return expression
	case "filled":
		return "replaceRegexpOne(toString(" + expression + `), '\\x00+$', '')`
	case "time":
		return "toString(" + expression + ", 'UTC')"
	case "decimal":
		return withDecimals(c, "toString("+expression+")")
	case "enum or nothing":
		some := lastOfEnum.FindStringSubmatch(c.declared)[1]
		category := strings.TrimSuffix(strings.TrimPrefix(c.declared, "Nullable("), ")")
		return "if(isNull(" + expression + "), NULL, toString(CAST(ifNull(toInt16(" + expression + "), " + some + ") AS " +
			category + ")))"
	}
	return "toString(" + expression + ")"
}

func (d clickhouse) sent(c *Column) string { return d.text(c, quoted(c.Name)) }

// decimalsOf finds how many decimals a type has.
var decimalsOf = regexp.MustCompile(`([0-9]+)\)+$`)

// withDecimals returns the text of a cell with all decimals of its type: later servers leave zeros out behind the last
// other digit.
func withDecimals(c *Column, text string) string {
	decimals, _ := strconv.Atoi(decimalsOf.FindStringSubmatch(c.declared)[1])
	if decimals == 0 {
		return text
	}
	point := "position(" + text + ", '.')"
	return "concat(" + text + ", substring('." + strings.Repeat("0", decimals) + "', 1 + if(" + point + " > 0, length(" + text +
		") - " + point + " + 1, 0)))"
}

func (d clickhouse) group(c *Column) string {
	if c.form == "float" || c.form == "filled" {
		return d.text(c, quoted(c.Name))
	}
	return quoted(c.Name)
}

// groupedAtATime is how many records are grouped by a key at a time: servers hold groups in memory, with some hundred
// bytes each.
const groupedAtATime = 10_000_000

func (clickhouse) sliced(key string, records int) (conditions []string) {
	slices := records/groupedAtATime + 1
	if slices == 1 {
		return []string{""}
	}
	for i := range slices {
		conditions = append(conditions, fmt.Sprintf(" WHERE cityHash64(ifNull(toString(%s), '')) %% %d = %d", key, slices, i))
	}
	return conditions
}

// Regular expressions of numbers that become decimals, and of what of them does.
const (
	decimals     = `^-?([0-9]{1,15}([.][0-9]*)?|[.][0-9]+)$`
	decimalsKept = `^-?[0-9]*[.]?[0-9]{0,18}`
)

// weight returns decimals: of texts and floating numbers those of up to 18 decimals that their texts are.
func (d clickhouse) weight(c *Column) string {
	name := quoted(c.Name)
	switch c.form {
	case "decimal":
		return name
	case "whole":
		return "toDecimal128(" + name + ", 0)"
	}
	text := "ifNull(" + d.text(c, name) + ", '')"
	text = "if(match(" + text + ", '" + numbers + "'), if(match(" + text + ", '[eE]'), toString(toFloat64OrZero(" + text +
		")), " + text + "), '')"
	is := "match(" + text + ", '" + decimals + "')"
	return "if(" + is + ", toDecimal128(if(" + is + ", extract(" + text + ", '" + decimalsKept + "'), '0'), 18), NULL)"
}

func (clickhouse) positive(expression string) string { return "(" + expression + " > 0)" }

func (clickhouse) matches(expression, pattern string) string {
	return "match(" + expression + ", '" + pattern + "')"
}

func (clickhouse) types() (text, whole, number string) {
	return "Nullable(String)", "Nullable(Int64)", "Nullable(Float64)"
}

func (clickhouse) caution() string {
	return "ClickHouse has no transactions: the protected table was filled under another name, counted again and then renamed, " +
		"which is not one act"
}

func (clickhouse) emptied(declared string) string {
	if inner, few := strings.CutPrefix(declared, "LowCardinality("); few {
		if strings.HasPrefix(inner, "Nullable(") {
			return declared
		}
		return "LowCardinality(Nullable(" + inner + ")"
	}
	if strings.HasPrefix(declared, "Nullable(") {
		return declared
	}
	return "Nullable(" + declared + ")"
}

// record returns an expression of what recordText does.
func (clickhouse) record(texts []string) string {
	if len(texts) == 0 {
		return "'()'"
	}
	cells := make([]string, len(texts))
	for i, text := range texts {
		known := "ifNull(" + text + ", '')"
		cells[i] = "if(isNull(" + text + "), '', if(" + known + " = '' OR match(" + known +
			`, '[\\x22\\x5c(), \\t\\n\\v\\f\\r]'), concat('"', replaceAll(replaceAll(` + known +
			`, '\\', '\\\\'), '"', '""'), '"'), ` + known + "))"
	}
	return "concat('(', " + strings.Join(cells, ", ',', ") + ", ')')"
}

func (clickhouse) hashed(text string) string { return "cityHash64(" + text + ")" }

func (clickhouse) order(secret, text string) string {
	return "lower(hex(MD5(concat(" + secret + ", " + text + "))))"
}

func (clickhouse) draw(secret, text, number string) string {
	if number != "" {
		text += ", ' ', toString(" + number + ")"
	}
	return "toInt64(bitAnd(reinterpretAsInt64(reverse(substring(MD5(concat(" + secret + ", " + text +
		")), 1, 8))), 9223372036854775807))"
}

// numbered puts the records of a value into an array, which is sorted and numbered: 18.16 has no windows.
func (clickhouse) numbered(statement string, names []string, by string, order ...string) string {
	parts, cells, turn := slices.Clone(order), []string{}, []string{}
	for i := range order {
		turn = append(turn, "tupleElement(sdcdesk_x, "+strconv.Itoa(i+1)+")")
	}
	for _, name := range names {
		parts = append(parts, name)
		cells = append(cells, "tupleElement(sdcdesk_one, "+strconv.Itoa(len(parts))+") AS "+name)
	}
	return "SELECT " + strings.Join(cells, ", ") + ", " + by + ", sdcdesk_number FROM (SELECT " + by + ", " +
		"arraySort(sdcdesk_x -> tuple(" + strings.Join(turn, ", ") + "), groupArray(tuple(" +
		strings.Join(parts, ", ") + "))) AS sdcdesk_all FROM (" + statement + ") t GROUP BY " + by + ") t " +
		"ARRAY JOIN sdcdesk_all AS sdcdesk_one, arrayEnumerate(sdcdesk_all) AS sdcdesk_number"
}

func (d clickhouse) times(c *Column, samples []*draws.Sample) string {
	return "CAST(" + product(d.real(c), samples, "toFloat64(%d)") + " AS Nullable(Float64))"
}

// together puts the members of a household into an array, and the households of a sum into one: 18.16 has no windows.
func (clickhouse) together(statement string, names []string, home string) string {
	const member, household = "sdcdesk_member", "sdcdesk_household"
	parts, cells := []string{"sdcdesk_key", "sdcdesk_order", "sdcdesk_twin"}, []string{}
	for _, name := range names {
		parts = append(parts, name)
		cells = append(cells, "tupleElement("+member+", "+strconv.Itoa(len(parts))+") AS "+name)
	}
	households := "SELECT toInt64(sum(sdcdesk_key)) AS sdcdesk_kind, min(sdcdesk_order) AS sdcdesk_least, sdcdesk_twins, " +
		"arraySort(sdcdesk_x -> tuple(tupleElement(sdcdesk_x, 1), tupleElement(sdcdesk_x, 2), tupleElement(sdcdesk_x, 3)), " +
		"groupArray(tuple(" + strings.Join(parts, ", ") + "))) AS sdcdesk_members FROM (SELECT *, " +
		"if(isNull(" + home + "), sdcdesk_order, '') AS sdcdesk_alone, if(isNull(" + home + "), toInt64(sdcdesk_twin), toInt64(0)) AS sdcdesk_twins FROM (" +
		statement + ") t) t GROUP BY " + home + ", sdcdesk_alone, sdcdesk_twins"
	placed := "SELECT sdcdesk_kind, toInt64(sdcdesk_at) AS sdcdesk_place, tupleElement(" + household + ", 3) AS sdcdesk_members FROM (SELECT sdcdesk_kind, " +
		"arraySort(sdcdesk_x -> tuple(tupleElement(sdcdesk_x, 1), tupleElement(sdcdesk_x, 2)), " +
		"groupArray(tuple(sdcdesk_least, sdcdesk_twins, sdcdesk_members))) AS sdcdesk_all FROM (" + households + ") t GROUP BY sdcdesk_kind) t " +
		"ARRAY JOIN sdcdesk_all AS " + household + ", arrayEnumerate(sdcdesk_all) AS sdcdesk_at"
	return "SELECT " + strings.Join(cells, ", ") + ", tupleElement(" + member + ", 1) AS sdcdesk_key, sdcdesk_kind, sdcdesk_place, " +
		"toInt64(sdcdesk_in) AS sdcdesk_number FROM (" + placed + ") t ARRAY JOIN sdcdesk_members AS " + member +
		", arrayEnumerateUniq(arrayMap(sdcdesk_x -> tupleElement(sdcdesk_x, 1), sdcdesk_members)) AS sdcdesk_in"
}

func (clickhouse) numeral(expression string) string { return "toString(" + expression + ")" }

func (clickhouse) listed(number string) string {
	return "arrayStringConcat(arrayMap(sdcdesk_x -> toString(sdcdesk_x), arraySort(groupArray(" + number + "))), ',')"
}

func (clickhouse) join(kind string) string { return " ALL " + kind + " JOIN " }

// among lets the shards of a distributed table send those records alone.
func (clickhouse) among(address, relation string) string {
	if relation == "" {
		return ""
	}
	return " WHERE " + address + " IN (SELECT sdcdesk_address FROM " + relation + ")"
}

func (d clickhouse) real(c *Column) string {
	switch c.form {
	case "whole", "decimal", "float":
		return "toFloat64(" + quoted(c.Name) + ")"
	}
	return "toFloat64OrZero(ifNull(" + d.text(c, quoted(c.Name)) + ", ''))"
}

// located orders records by their key; nothing else tells them apart.
func (d clickhouse) located(_ context.Context, _ *sql.Tx, _ *Address, c *Column) (located, error) {
	if c == nil {
		return located{}, nil
	}
	name := quoted(c.Name)
	out := located{called: c.Name, expression: name, text: d.text(c, name), given: func(text string) string {
		return "CAST(" + text + " AS " + c.declared + ")"
	}}
	if c.form == "time" || c.form == "filled" || c.form == "text" {
		out.expression, out.given = out.text, func(text string) string { return text }
	}
	return out, nil
}

func (clickhouse) gathered(relation string, names []string) string {
	return "(SELECT " + strings.Join(quotedAll(names), ", ") + " FROM " + relation + ") s"
}

// upload sends columns beside the statement. No text of the first is NULL.
func (clickhouse) upload(_ context.Context, _ *sql.Tx, q *query, name string, columns []uploaded) (string, error) {
	relation := &driven.Relation{Name: name}
	for i, c := range columns {
		relation.Columns = append(relation.Columns, driven.Column{Name: c.name, Texts: c.texts, Numbers: c.numbers,
			Filled: i == 0})
	}
	q.value(relation)
	return name, nil
}

// reasons say what codes of errors mean, whose messages may have values.
var reasons = map[int]string{
	16: "a column is not there", 36: "a value is of a kind that cannot be worked with", 44: "columns of such a type are not allowed on this server",
	47: "a column is not there",
	57: "there is such a table already", 60: "the table is not there",
	75: "the server cannot write to its disk, which may be full; ask who runs it", 81: "the database is not there",
	153: "a whole number is divided by zero", 158: "it would read more records than the server lets this user read",
	159: "it took longer than the server lets it take", 160: "it would take longer than the server lets it take",
	164: "this user may only read", 192: "there is no such user, or the password is another",
	193: "there is no such user, or the password is another", 194: "the user needs a password",
	202: "the server has too much to do; do it once more", 209: "a server of the cluster does not answer",
	210: "a server of the cluster does not answer", 241: "it needs more memory than the server lets it have",
	243: "the server has no space left", 252: "the table has too many parts just now; do it once more",
	279: "a server of the cluster does not answer", 291: "this user may not use the database",
	307: "it would read more than the server lets this user read", 394: "the query was ended in the server",
	396: "the answer is larger than the server lets it be", 497: "this user may not do that",
	516: "there is no such user, or the password is another"}

// noWay is what errors of requests say whose server cannot be reached.
const noWay = "dial "

// fault leaves out what servers say but for the code: messages may have values.
func (clickhouse) fault(err error) error {
	said := new(driven.Error)
	if errors.As(err, &said) {
		reason, known := reasons[said.Code]
		if !known {
			reason = "it cannot be carried out"
		}
		return fmt.Errorf("the server says: %s (ClickHouse code %d)", reason, said.Code)
	}
	if connecting := new(url.Error); errors.As(err, &connecting) && strings.Contains(connecting.Err.Error(), noWay) {
		return errors.New("the server cannot be reached: check host and port of its HTTP interface, and whether it runs")
	}
	return errors.New("the connection to the server was lost; do it once more when it is there again")
}
