// Package diversity measures what the records of a key tell of a sensitive
// variable: l-diversity, how many values of it they have between them, and
// t-closeness, how far their values are spread otherwise than those of the file.
// [Machanavajjhala and others 2007; Li, Li and Venkatasubramanian 2007]
//
// Records with the identical key form a key, a missing value being one of its own.
// All figures are computed per distinct key, from the key table of the key variables,
// which other measures share, and the sensitive values of the records of each key.
//
//	spread, err := diversity.NewSpread(ctx, version, "health")
//	found, err := diversity.Of(ctx, spread, 2)
//	fmt.Println(found.Distinct[key], found.Entropy[key], found.Recursive[key])
package diversity
