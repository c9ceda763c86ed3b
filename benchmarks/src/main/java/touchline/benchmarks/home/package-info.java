/** Recordings whose home is S3: at a node that did not record them, and what their upload costs. */
@NullMarked
package touchline.benchmarks.home;

import org.jspecify.annotations.NullMarked;
