package touchline.api.storage;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import touchline.api.domain.OutputStorage;
import touchline.api.domain.StorageKeys;
import touchline.api.domain.StorageType;
import touchline.api.egress.Egress;
import touchline.api.egress.EgressLimits;
import touchline.media.net.AddressRules;

/** A real S3 server on loopback, in memory, with one bucket; and a look into it from the side. */
public final class S3Store implements AutoCloseable {
    public static final String BUCKET = "match-archive";
    public static final String ACCESS_KEY = "test-access";
    public static final String SECRET_KEY = "test-secret-key";

    private final S3Proxy proxy;
    private final Egress egress = new Egress(AddressRules.allowing(List.of("127.0.0.0/8")));
    private final S3Client client;

    private S3Store(S3Proxy proxy) {
        this.proxy = proxy;
        this.client =
                S3Clients.open(
                        storage(endpoint(), SECRET_KEY),
                        egress.forAws(
                                new EgressLimits(
                                        java.time.Duration.ofSeconds(20),
                                        java.time.Duration.ofSeconds(60),
                                        Long.MAX_VALUE)),
                        /* tries= */ 3);
    }

    public static S3Store start() throws Exception {
        S3Proxy proxy =
                S3Proxy.builder()
                        .endpoint(URI.create("http://127.0.0.1:0"))
                        .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, ACCESS_KEY, SECRET_KEY)
                        .blobStore(new TransientNio2BlobStore())
                        .build();
        proxy.start();
        S3Store store = new S3Store(proxy);
        store.client.createBucket(request -> request.bucket(BUCKET));
        return store;
    }

    public int port() {
        return proxy.getPort();
    }

    public URI endpoint() {
        return URI.create("http://127.0.0.1:" + port());
    }

    /** A storage of this bucket behind an address. */
    public static OutputStorage storage(URI endpoint, String secretKey) {
        return new OutputStorage(
                OutputStorage.newId(),
                StorageType.S3,
                "us-east-1",
                BUCKET,
                "touchline/vod",
                Optional.of(endpoint),
                Optional.empty(),
                Optional.of(new StorageKeys(ACCESS_KEY, secretKey)),
                URI.create("https://client.example/done"),
                Optional.empty(),
                Instant.EPOCH);
    }

    /** All keys. */
    public List<String> keys() {
        return client.listObjectsV2Paginator(request -> request.bucket(BUCKET)).contents().stream()
                .map(object -> object.key())
                .toList();
    }

    /** Incomplete uploads. */
    public int openUploads() {
        return client.listMultipartUploads(request -> request.bucket(BUCKET)).uploads().size();
    }

    public void download(String key, Path to) {
        client.getObject(request -> request.bucket(BUCKET).key(key), to);
    }

    /** Puts other content into an object, with the metadata that it has. */
    public void replace(String key, byte[] content) {
        Map<String, String> metadata =
                client.headObject(request -> request.bucket(BUCKET).key(key)).metadata();
        client.putObject(
                request -> request.bucket(BUCKET).key(key).metadata(metadata),
                RequestBody.fromBytes(content));
    }

    /** Deletes the one object whose key starts and ends like this. */
    public void remove(String start, String end) {
        List<String> found =
                keys().stream().filter(key -> key.startsWith(start) && key.endsWith(end)).toList();
        if (found.size() != 1) {
            throw new AssertionError(start + "..." + end + ": " + found);
        }
        client.deleteObject(request -> request.bucket(BUCKET).key(found.getFirst()));
    }

    /** Deletes all objects. */
    public void empty() {
        keys().forEach(key -> client.deleteObject(request -> request.bucket(BUCKET).key(key)));
    }

    /** Takes the bucket away with all that is in it. */
    public void removeBucket() {
        empty();
        client.deleteBucket(request -> request.bucket(BUCKET));
    }

    @Override
    public void close() throws IOException {
        client.close();
        egress.close();
        try {
            proxy.stop();
        } catch (Exception e) {
            throw new IOException("S3Proxy does not stop", e);
        }
    }
}
