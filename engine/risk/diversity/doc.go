// Package diversity measures what the records of a key pattern reveal about a sensitive variable. l-diversity is
// the number of values among them; t-closeness is the distance between the distribution of their values and that
// of the file. [Machanavajjhala and others 2007; Li, Li and Venkatasubramanian 2007]
//
// Records with the identical key pattern form a group; a missing value is a separate category. All figures are
// computed per key pattern, from the key table, which other measures share, and the sensitive values of the
// records.
//
//	spread, err := diversity.NewSpread(ctx, version, "health")
//	found, err := diversity.Of(ctx, spread, 2)
//	fmt.Println(found.Distinct[key], found.Entropy[key], found.Recursive[key])
package diversity
