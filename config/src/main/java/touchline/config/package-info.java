/** Typed configuration: built-in defaults, then YAML, then the environment. */
@NullMarked
package touchline.config;

import org.jspecify.annotations.NullMarked;
