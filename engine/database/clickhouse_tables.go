package database

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	driven "github.com/sdcdesk/sdcdesk/engine/database/clickhouse"
)

// distributed says which tables a distributed table stands for.
type distributed struct {
	cluster string
	table   []string // database and table
}

// distributed returns which tables a distributed table stands for; nil: the table is none.
func (d clickhouse) distributed(ctx context.Context, tx *sql.Tx, a *Address) (*distributed, error) {
	var engine string
	err := tx.QueryRowContext(ctx, "SELECT engine_full FROM system.tables WHERE "+
		strings.Replace(d.within(a), "table =", "name =", 1)).Scan(&engine)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	inside, is := strings.CutPrefix(engine, "Distributed(")
	if err != nil || !is {
		return nil, err
	}
	parts := strings.SplitN(inside, ", ", 4)
	if len(parts) < 3 {
		return nil, nil
	}
	for i, part := range parts {
		parts[i] = strings.Trim(part, "'`\") ")
	}
	return &distributed{cluster: parts[0], table: parts[1:3]}, nil
}

// partsOf asks what a table's server notes of the parts that its records are in: merging parts, which a server does by
// itself, changes none of it; inserting, changing and deleting records do. The version of data is that of their last
// change, or where there was none the number of their first block.
const partsOf = "SELECT hostName(), replaceRegexpOne(path, '[^/]*/$', '') AS place, partition_id, " +
	"max(greatest(max_block_number, data_version)), sum(rows) FROM %s WHERE active AND %s GROUP BY hostName(), place, partition_id " +
	"ORDER BY hostName(), place, partition_id"

// made asks when a table was made or altered.
const made = "SELECT hostName(), metadata_modification_time, '', '', '' FROM %s WHERE %s ORDER BY hostName(), " +
	"metadata_modification_time"

// inOrderOfReplicas lets a server read the first replica of each shard that answers, so that it is the same from time
// to time.
var inOrderOfReplicas = driven.Setting{Name: "load_balancing", Value: "in_order"}

// mayNotAsk are the codes of errors of users who may not ask system tables, or not so.
var mayNotAsk = []int{164, 452, 497}

// noted tells of tables with parts, on one replica of each shard: each notes its own.
func (d clickhouse) noted(ctx context.Context, tx *sql.Tx, a *Address) (string, error) {
	over, err := d.distributed(ctx, tx, a)
	if err != nil {
		return "", err
	}
	inParts, tables, condition := "system.parts", "system.tables", d.within(a)
	var settings []any
	if over != nil {
		settings = append(settings, inOrderOfReplicas)
		condition = d.within(&Address{table: over.table})
		inParts = "cluster(" + literal(over.cluster) + ", system, parts)"
		tables = "cluster(" + literal(over.cluster) + ", system, tables)"
	}
	hash := sha256.New()
	for _, statement := range []string{fmt.Sprintf(partsOf, inParts, condition),
		fmt.Sprintf(made, tables, strings.Replace(condition, "table =", "name =", 1))} {
		rows, err := tx.QueryContext(ctx, statement, settings...)
		if said := new(driven.Error); errors.As(err, &said) && slices.Contains(mayNotAsk, said.Code) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		defer rows.Close()
		cells, into := make([]sql.NullString, 5), make([]any, 5)
		for i := range cells {
			into[i] = &cells[i]
		}
		for rows.Next() {
			if err := rows.Scan(into...); err != nil {
				return "", err
			}
			fmt.Fprintf(hash, "%v\n", cells)
		}
		if err := rows.Err(); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// replica is a server of a cluster.
type replica struct {
	host  string
	shard int
}

// replicas returns the servers of a cluster, and whether shards have several.
func (clickhouse) replicas(ctx context.Context, tx *sql.Tx, cluster string) (servers []replica, several bool, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT host_name, shard_num, replica_num FROM system.clusters WHERE cluster = "+
		literal(cluster)+" ORDER BY shard_num, replica_num")
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	for rows.Next() {
		of, number := replica{}, 0
		if err := rows.Scan(&of.host, &of.shard, &number); err != nil {
			return nil, false, err
		}
		servers, several = append(servers, of), several || number > 1
	}
	return servers, several, rows.Err()
}

// sibling returns the address of another table.
func (a *Address) sibling(ending string) *Address {
	out := *a
	out.table = append([]string{}, a.table...)
	out.table[len(out.table)-1] += ending
	return &out
}

// create fills a table of another name, which gets its own when everything was counted again. A
// table of a distributed one is distributed, with a table on each shard.
func (d clickhouse) create(ctx context.Context, tx *sql.Tx, source, a *Address, names, types []string, statement string,
	q *query) (*created, error) {
	columns := make([]string, len(names))
	for i, name := range names {
		columns[i] = quoted(name) + " " + ofTable(types[i])
	}
	filled := " (" + strings.Join(columns, ", ") + ") ENGINE = "
	unfinished := a.sibling("_unfinished")
	if err := d.free(ctx, tx, a); err != nil {
		return nil, err
	}
	if err := d.free(ctx, tx, unfinished); err != nil {
		return nil, fmt.Errorf("where an attempt was broken off, or one goes on just now: %w", err)
	}
	over, err := d.distributed(ctx, tx, source)
	if err != nil {
		return nil, err
	}
	out := &created{address: unfinished}
	made, copies := []*Address{}, []copied(nil)
	out.abandon = func() { d.drop(ctx, made) }
	out.finish = func() error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err := d.execute(context.WithoutCancel(ctx), unfinished, "RENAME TABLE "+unfinished.relation()+" TO "+a.relation())
		if !errors.As(err, new(*driven.Error)) { // it is there, or nobody knows
			made = nil
		}
		return err
	}
	if over == nil {
		made = append(made, unfinished)
		err = d.execute(ctx, unfinished, "CREATE TABLE "+unfinished.relation()+filled+"MergeTree ORDER BY tuple()")
	} else {
		made, copies, err = d.spread(ctx, tx, a, unfinished, over, filled)
	}
	if err == nil {
		_, err = tx.ExecContext(ctx, "INSERT INTO "+unfinished.relation()+" ("+strings.Join(quotedAll(names), ", ")+") "+
			statement, append(q.values, driven.Setting{Name: "insert_distributed_sync", Value: "1"})...)
	}
	if err == nil {
		err = tx.QueryRowContext(ctx, "SELECT count(*) FROM "+unfinished.relation()).Scan(&out.records)
	}
	if err == nil {
		err = d.alike(ctx, copies)
	}
	if err != nil {
		out.abandon()
		return nil, err
	}
	return out, nil
}

// ofTable returns the type that a column of a protected table has: later servers refuse new columns of few values but
// for texts.
func ofTable(declared string) string {
	inner, few := strings.CutPrefix(declared, "LowCardinality(")
	if !few || strings.HasPrefix(strings.TrimPrefix(inner, "Nullable("), "String") {
		return declared
	}
	return strings.TrimSuffix(inner, ")")
}

// free returns ErrExists where there is a table.
func (d clickhouse) free(ctx context.Context, tx *sql.Tx, a *Address) error {
	there := 0
	err := tx.QueryRowContext(ctx, "EXISTS TABLE "+a.relation()).Scan(&there)
	if err == nil && there > 0 {
		err = fmt.Errorf("%s: %w", a.Name(), ErrExists)
	}
	return err
}

// copied is a table on a replica of a shard.
type copied struct {
	table *Address
	shard int
}

// spread makes a table on each replica of each shard, and one that distributes records among them; and returns what was
// made.
func (d clickhouse) spread(ctx context.Context, tx *sql.Tx, a, unfinished *Address, over *distributed,
	columns string) (made []*Address, copies []copied, err error) {
	servers, several, err := d.replicas(ctx, tx, over.cluster)
	if err == nil && several {
		err = d.copiedByDistributed(ctx, tx, over)
	}
	if err != nil {
		return nil, nil, err
	}
	database := ""
	if err := tx.QueryRowContext(ctx, "SELECT currentDatabase()").Scan(&database); err != nil {
		return nil, nil, err
	}
	if len(a.table) > 1 {
		database = a.table[0]
	}
	connect, err := url.Parse(a.connect)
	if err != nil {
		return nil, nil, err
	}
	shard := a.sibling("_shard")
	for _, server := range servers {
		at, there := *shard, *connect
		there.Host = hostAndPort(server.host, connect.Port())
		at.connect = there.String()
		err := d.execute(ctx, &at, "CREATE TABLE "+at.relation()+columns+"MergeTree ORDER BY tuple()")
		if said := new(driven.Error); errors.As(err, &said) && said.Code == 57 {
			err = fmt.Errorf("%s on %s: %w", at.Name(), server.host, ErrExists)
		}
		if err != nil {
			return made, nil, err
		}
		made, copies = append(made, &at), append(copies, copied{&at, server.shard})
	}
	made = append(made, unfinished)
	engine := "Distributed(" + strings.Join([]string{literal(over.cluster), literal(database),
		literal(shard.table[len(shard.table)-1]), "rand()"}, ", ") + ")"
	return made, copies, d.execute(ctx, unfinished, "CREATE TABLE "+unfinished.relation()+columns+engine)
}

// copiedByDistributed reports tables that servers copy by themselves: protected ones are copied as they are written.
func (d clickhouse) copiedByDistributed(ctx context.Context, tx *sql.Tx, over *distributed) error {
	themselves := 0
	err := tx.QueryRowContext(ctx, "SELECT count(*) FROM cluster("+literal(over.cluster)+", system, tables) WHERE "+
		strings.Replace(d.within(&Address{table: over.table}), "table =", "name =", 1)+" AND engine LIKE 'Replicated%'").
		Scan(&themselves)
	if err == nil && themselves > 0 {
		err = fmt.Errorf("%w: the replicas of its shards copy their tables by themselves (ReplicatedMergeTree), as which "+
			"protected tables are not made; write a file", ErrTarget)
	}
	return err
}

// alike reports replicas of a shard that have not as many records as the others.
func (d clickhouse) alike(ctx context.Context, copies []copied) error {
	records := map[int]int64{}
	for _, c := range copies {
		tx, end, err := d.begin(ctx, c.table, false)
		if err != nil {
			return err
		}
		has := int64(0)
		err = tx.QueryRowContext(ctx, "SELECT count(*) FROM "+c.table.relation()).Scan(&has)
		end()
		if err != nil {
			return err
		}
		if before, known := records[c.shard]; known && before != has {
			return fmt.Errorf("%w: what is written to a shard of its cluster does not come to all of its replicas "+
				"(internal_replication); write a file", ErrTarget)
		}
		records[c.shard] = has
	}
	return nil
}

// execute carries out a statement by itself, also where what it belongs to was given up.
func (clickhouse) execute(ctx context.Context, a *Address, statement string) error {
	db, err := sql.Open("clickhouse", a.connect)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, statement)
	return err
}

// dropWait is how long removing what was not finished may take when everything else has ended.
const dropWait = 10 * time.Second

// drop removes tables, the last that was made first.
func (d clickhouse) drop(ctx context.Context, tables []*Address) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), dropWait)
	defer stop()
	for i := len(tables) - 1; i >= 0; i-- {
		d.execute(ctx, tables[i], "DROP TABLE IF EXISTS "+tables[i].relation())
	}
}
