package database

import (
	"context"
	"database/sql"
)

// standard is what a dialect says where nothing else is to be said.
type standard struct{}

func (standard) file(*Address) string { return "" }

func (standard) primary(context.Context, *sql.Tx, *Address) (string, error) { return "", nil }

func (standard) noted(context.Context, *sql.Tx, *Address) (string, error) { return "", nil }

func (standard) watched(ctx context.Context, _ func(done, all int64)) context.Context { return ctx }

func (standard) hash([]*Column) string { return "" }

func (standard) once() string { return "" }

func (standard) gathered(relation string, _ []string) string { return relation }

func (standard) caution() string { return "" }

func (standard) emptied(declared string) string { return declared }

func (standard) each(ctx context.Context, tx *sql.Tx, statement string, q *query, take func(cells [][]byte) error) error {
	var record [][]byte
	return scan(ctx, tx, statement, q, func(cells []cell) error {
		record = record[:0]
		for i := range cells {
			record = append(record, cells[i].text)
		}
		return take(record)
	})
}
