// Package database reads tables of PostgreSQL, ClickHouse and SQLite into datasets, and writes datasets as new
// tables. Records are read like those of a CSV export of the table; column types determine which variables are
// numbers, texts or dates, and NULL is missing. Parse returns the Address for Read and Create.
//
//	address, err := database.Parse("postgres://host/db?table=census.person")
//	table, data, report, err := database.Read(ctx, address, fileio.NewFormat(), nil)
//	target, err := database.ParseTarget("postgres://host/db?table=census.person_safe")
//	err = database.Create(ctx, target, data, table, &scenario, nil)
//
// Addresses, errors and reports never contain a password or the value of a cell.
package database
