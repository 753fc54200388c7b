// Package database counts and protects tables where they are: in PostgreSQL, ClickHouse,
// and files of SQLite. The engine that holds a table counts the groups of its records, deals out what steps take
// from single ones, and writes the protected table; nothing but groups leaves it, and the
// protected records where these are to go to a file.
//
// A cell is what the table's own export as text would have: columns are typed as package fileio types that
// text. NULL and the empty text are missing, and come out as they came in.
//
// Which records of a key lose cells is told by the order of md5(secret || key), of the unique key
// of the table, or where none is named of all columns: then records alike in all of these stand for
// each other. Kinds of databases differ in a dialect, and in nothing else.
package database
