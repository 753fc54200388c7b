package fileio

import (
	"github.com/sdcdesk/sdcdesk/engine/files/dbase"
	"github.com/sdcdesk/sdcdesk/engine/files/parquet"
	"github.com/sdcdesk/sdcdesk/engine/files/sas"
	"github.com/sdcdesk/sdcdesk/engine/files/spreadsheet"
	"github.com/sdcdesk/sdcdesk/engine/files/spss"
	"github.com/sdcdesk/sdcdesk/engine/files/stata"
	"github.com/sdcdesk/sdcdesk/engine/files/statfile"
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
