package session

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/sdcdesk/sdcdesk/engine/base/progress"
	"github.com/sdcdesk/sdcdesk/engine/data/microdata"
	"github.com/sdcdesk/sdcdesk/engine/files/database"
	"github.com/sdcdesk/sdcdesk/engine/files/fileio"
)

// createTable writes data of the document, without its removed variables, as a new table.
func (d *Document) createTable(ctx context.Context, address string, data *microdata.Dataset, meter *progress.Meter) error {
	target, err := database.ParseTarget(address)
	if err != nil {
		return err
	}
	if data.Grouped() {
		return database.CreateCounted(ctx, target, d.counted(), &d.Scenario)
	}
	return database.Create(ctx, target, data.Without(d.dropped()), d.Source.table, &d.Scenario, meter)
}

// counted returns the input for the protected table of a frequency table.
func (d *Document) counted() *database.FrequencyRelease {
	return &database.FrequencyRelease{Data: d.released(), Base: d.Base, Weights: d.Scenario.Weight, Table: d.Source.table,
		Name: strings.TrimSuffix(d.Name, filepath.Ext(d.Name))}
}

// IsScript reports whether the protected file with a path is an SQL script, as for data read as a frequency table.
func IsScript(path string, read fileio.Format) bool {
	return read.Count != "" && strings.EqualFold(filepath.Ext(path), ".sql")
}

// CheckName reports a name that a protected file cannot have, given how the data are read. Errors are those of
// fileio.CheckName.
func CheckName(path string, read fileio.Format) error {
	if database.Is(path) || IsScript(path, read) {
		return nil
	}
	return fileio.CheckName(path, read)
}
