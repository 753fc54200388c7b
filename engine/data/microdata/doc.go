// Package microdata represents survey files: immutable datasets of columns, and the scenario that assigns roles to
// variables.
//
// A Dataset never changes. With returns a new one that shares every column that is not replaced, so undoing a step
// costs nothing: the old dataset still exists. A Column is stored either as a dictionary (levels and one code per
// record, 0 for missing) or as numbers (float64, NaN for missing); Categories gives every column a dictionary on
// demand.
//
// A row is a record of a file, or stands for several equal records, like the rows of a GROUP BY (NewGrouped).
// Counts, shares and denominators refer to records.
//
//	data, err := microdata.NewDataset(columns)
//	age, ok := data.Column("age")
//	categories := age.Categories()
//	fmt.Println(categories.Levels[0].Label, categories.Codes.At(0))
package microdata
