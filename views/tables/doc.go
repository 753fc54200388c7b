// Package tables has the panes of the tab Tables: the tables of the session, one slice of the selected table, the cell
// under the cursor, and what an intruder learns from the table as it would be published.
package tables
