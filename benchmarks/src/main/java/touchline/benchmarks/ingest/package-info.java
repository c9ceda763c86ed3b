/** Many publishers at once, beside nginx with its rtmp module. */
@NullMarked
package touchline.benchmarks.ingest;

import org.jspecify.annotations.NullMarked;
