package touchline.api.http;

import java.util.Optional;
import java.util.function.Supplier;
import touchline.api.home.HomeOperation;
import touchline.config.ApiConfig;

/**
 * What the API needs of the server's operation. Borrowed.
 *
 * @param api limits in force
 * @param reload reads the configuration again
 * @param home recordings in S3; empty where they are only on the disk
 */
public record OperatorDependencies(
        Supplier<ApiConfig> api, Reload reload, Optional<HomeOperation> home) {}
