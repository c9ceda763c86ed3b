/** JMH benchmarks of single classes: {@code ./touchline bench micro [REGEXP AND OPTIONS]}. */
@NullMarked
package touchline.benchmarks.micro;

import org.jspecify.annotations.NullMarked;
