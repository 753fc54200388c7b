package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/sdcdesk/sdcdesk/engine/files/database"
)

const groupByHelp = `Prints the SQL statement that makes a frequency table of TABLE: a row for each
combination of values of the columns, with the number of records that have it. Run it
where the records are, save the rows as CSV or Parquet, and open that file:

  sdcdesk groupby person --columns region,sex,age --weight weight
  sdcdesk person.csv --count records

The protected table of a frequency table is made by one SQL script, for the same place:
  sdcdesk run steps.jsonl person.csv --count records -o protect.sql
PostgreSQL, SQLite and ClickHouse are asked by the program itself:
  sdcdesk 'postgres://host/db?table=person&count=region,sex,age&weight=weight'`

// newGroupByCommand returns "sdcdesk groupby": how another engine makes a frequency table.
func newGroupByCommand() *cobra.Command {
	var columns []string
	var weight string
	cmd := &cobra.Command{
		Use:   "groupby TABLE --columns NAMES",
		Short: "Print the SQL statement that makes a frequency table",
		Long:  groupByHelp,
		Args:  takes(1, 1, "the name of a table"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(columns) == 0 {
				return badUsage("name the columns whose values are counted, as in --columns region,sex,age")
			}
			_, err := fmt.Fprint(cmd.OutOrStdout(), database.GroupBy(args[0], columns, weight))
			return err
		},
	}
	cmd.Flags().StringSliceVar(&columns, "columns", nil, "the columns whose values are counted (required)")
	cmd.Flags().StringVar(&weight, "weight", "", "a column of weights, whose sums are needed")
	return cmd
}
