package touchline.api.storage;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.DefaultRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.S3Configuration;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.StorageKeys;
import touchline.api.domain.StorageType;

/**
 * Builds S3 clients for a storage: its address, its address style, and its credentials. Checksum
 * trailers and chunked signatures are off, because OSS and many other stores reject them. Nothing
 * is read from the environment. Stateless.
 */
final class S3Clients {
    private static final String OSS_PREFIX = "oss-";
    private static final String DEFAULT_REGION = "us-east-1";
    private static final Pattern IPV4 = Pattern.compile("[0-9.]+");
    private static final Duration CALL_TIME = Duration.ofMinutes(30);

    private S3Clients() {}

    /**
     * @param tries of each call, the first included
     */
    static S3Client open(OutputStorage storage, SdkHttpClient http, int tries) {
        return builder(storage, http, tries).build();
    }

    /**
     * Does not sign the content over plain HTTP either: for the store of this server's recordings,
     * which the operator has chosen.
     *
     * @param tries of each call, the first included
     */
    static S3Client openUnsigned(OutputStorage storage, SdkHttpClient http, int tries) {
        return builder(storage, http, tries).putAuthScheme(new UnsignedContent()).build();
    }

    private static S3ClientBuilder builder(OutputStorage storage, SdkHttpClient http, int tries) {
        StorageKeys keys =
                storage.keys()
                        .orElseThrow(() -> new IllegalArgumentException("storage without keys"));
        Optional<URI> endpoint = endpoint(storage);
        S3ClientBuilder builder =
                S3Client.builder()
                        .httpClient(http)
                        .region(region(storage))
                        .credentialsProvider(
                                StaticCredentialsProvider.create(
                                        AwsBasicCredentials.create(
                                                keys.accessKey(), keys.secretKey())))
                        .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                        .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
                        .serviceConfiguration(
                                S3Configuration.builder()
                                        .chunkedEncodingEnabled(false)
                                        .pathStyleAccessEnabled(pathStyle(storage, endpoint))
                                        .build())
                        .overrideConfiguration(
                                override ->
                                        override.apiCallTimeout(CALL_TIME)
                                                .defaultProfileFile(
                                                        ProfileFile.aggregator().build())
                                                .retryStrategy(
                                                        DefaultRetryStrategy
                                                                .standardStrategyBuilder()
                                                                .maxAttempts(tries)
                                                                .build()));
        endpoint.ifPresent(builder::endpointOverride);
        return builder;
    }

    /** The configured endpoint. OSS has one per region (its documents: "Use AWS SDKs"). */
    static Optional<URI> endpoint(OutputStorage storage) {
        if (storage.endpoint().isPresent() || storage.type() != StorageType.OSS) {
            return storage.endpoint();
        }
        return Optional.of(
                URI.create("https://s3." + OSS_PREFIX + bareRegion(storage) + ".aliyuncs.com"));
    }

    private static Region region(OutputStorage storage) {
        String bare = bareRegion(storage);
        return Region.of(bare.isEmpty() ? DEFAULT_REGION : bare);
    }

    private static String bareRegion(OutputStorage storage) {
        String region = storage.region().toLowerCase(Locale.ROOT);
        return storage.type() == StorageType.OSS && region.startsWith(OSS_PREFIX)
                ? region.substring(OSS_PREFIX.length())
                : region;
    }

    /**
     * The configured style. By default OSS and Amazon have the bucket in the host name. Other
     * stores have it in the path, and so do IP addresses.
     */
    static boolean pathStyle(OutputStorage storage, Optional<URI> endpoint) {
        if (storage.pathStyle().isPresent()) {
            return storage.pathStyle().get();
        }
        if (endpoint.isEmpty()) {
            return false;
        }
        String host = String.valueOf(endpoint.get().getHost());
        boolean nameless =
                IPV4.matcher(host).matches() || host.startsWith("[") || host.indexOf('.') < 0;
        return nameless || (storage.type() == StorageType.S3 && !host.endsWith(".amazonaws.com"));
    }
}
