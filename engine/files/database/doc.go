// Package database reads tables of PostgreSQL, ClickHouse and SQLite into datasets, and writes datasets as new tables.
// A table is a kind of file: its records are read as those of its export as CSV, the catalogue of the database says
// which columns are numbers, texts or dates, and NULL is missing.
//
//	address, err := database.Parse("postgres://host/db?table=census.person")
//	table, data, report, err := database.Read(ctx, address, fileio.NewFormat(), nil)
//	target, err := database.ParseTarget("postgres://host/db?table=census.person_safe")
//	err = database.Create(ctx, target, data, table, &scenario, nil)
//
// Addresses, errors and reports never hold a password or a value of a cell.
package database
