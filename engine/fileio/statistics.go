package fileio

import (
	"github.com/sdcdesk/sdcdesk/engine/fileio/dbase"
	"github.com/sdcdesk/sdcdesk/engine/fileio/parquet"
	"github.com/sdcdesk/sdcdesk/engine/fileio/sas"
	"github.com/sdcdesk/sdcdesk/engine/fileio/spreadsheet"
	"github.com/sdcdesk/sdcdesk/engine/fileio/spss"
	"github.com/sdcdesk/sdcdesk/engine/fileio/stata"
	"github.com/sdcdesk/sdcdesk/engine/fileio/statfile"
)

// statistics returns the formats of statistics programs, databases and
// spreadsheets, in the order in which they are asked whether a file is theirs.
func statistics() []statfile.Format {
	return []statfile.Format{
		spss.System{},
		spss.Portable{},
		sas.Transport{},
		sas.DataFile{},
		stata.Format{},
		parquet.Format{},
		spreadsheet.Excel{},
		spreadsheet.OpenDocument{},
		dbase.Format{},
	}
}
