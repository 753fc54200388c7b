// Package risk assesses the disclosure risk of categorical key variables:
// violators of k-anonymity, the individual risk of every record, and the risks
// of households and of the file.
//
//	table, err := keys.New(ctx, columns, weights)
//	assessment, err := risk.Assess(ctx, table, microdata.NewHouseholds(hid), risk.OptionsOf(&scenario))
//	fmt.Println(assessment.Violators[0].Count, assessment.Expected, assessment.Global)
//
// All figures of an Assessment come from one key table and therefore from one version of the data. Records with
// equal key patterns have equal risks, so figures are computed per key pattern; only household figures need the
// records.
package risk
