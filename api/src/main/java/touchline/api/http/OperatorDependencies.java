package touchline.api.http;

import java.util.function.Supplier;
import touchline.config.ApiConfig;

/**
 * What the API needs of the server's operation. Borrowed.
 *
 * @param api limits in force
 * @param reload reads the configuration again
 */
public record OperatorDependencies(Supplier<ApiConfig> api, Reload reload) {}
