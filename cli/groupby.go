package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/files/database"
)

const groupByHelp = `Prints the SQL statement that creates a frequency table of TABLE: one row for each
combination of values of the columns, with its number of records. Run the statement in the
database, save the rows as CSV or Parquet, and open that file with --count records.

To protect the table in the database, write an SQL script with "sdcdesk run" and run it there.
sdcdesk can query PostgreSQL, SQLite and ClickHouse itself: pass the address of the table.`

// newGroupByCommand returns "sdcdesk groupby", which prints how another engine makes a frequency table.
func newGroupByCommand() *cobra.Command {
	var columns []string
	var weight string
	cmd := &cobra.Command{
		Use:   "groupby TABLE --columns NAMES",
		Short: "Print the SQL statement that creates a frequency table",
		Long:  groupByHelp,
		Example: "  sdcdesk groupby person --columns region,sex,age --weight weight\n" +
			"  sdcdesk person.csv --count records\n" +
			"  sdcdesk run steps.jsonl person.csv --count records -o protect.sql\n" +
			"  sdcdesk 'postgres://host/db?table=person&count=region,sex,age&weight=weight'",
		Args: takes(1, 1, "the name of a table"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(columns) == 0 {
				return badUsage("name the columns to count, for example --columns region,sex,age")
			}
			_, err := fmt.Fprint(cmd.OutOrStdout(), database.GroupBy(args[0], columns, weight))
			return err
		},
	}
	cmd.Flags().StringSliceVar(&columns, "columns", nil, "columns whose combinations of values are counted (required)")
	cmd.Flags().StringVar(&weight, "weight", "", "weight column to sum")
	return cmd
}
