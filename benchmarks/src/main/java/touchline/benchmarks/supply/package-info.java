/** The supply chain: versions of the product beside published advisories. */
@NullMarked
package touchline.benchmarks.supply;

import org.jspecify.annotations.NullMarked;
