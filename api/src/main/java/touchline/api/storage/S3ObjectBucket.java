package touchline.api.storage;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.ObjLongConsumer;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import touchline.api.storage.ObjectStorage.FileSlice;
import touchline.api.storage.StorageException.Kind;

/** A bucket of recordings behind the S3 interface. Any thread. */
final class S3ObjectBucket implements ObjectBucket {
    /** Name in an object's metadata: on the wire {@code x-amz-meta-crc32c}. */
    private static final String CHECKSUM = "crc32c";

    /** Limit of DeleteObjects (Amazon S3 API Reference). */
    private static final int DELETED_AT_ONCE = 1_000;

    /** The page cache keeps what is written at once in one piece: sending it later costs less. */
    private static final int WRITTEN_AT_ONCE = 1 << 20;

    private static final int BAD_REQUEST = 400;
    private static final int LENGTH_REQUIRED = 411;
    private static final int NOT_IMPLEMENTED = 501;

    private final S3Client client;
    private final String bucket;

    /** Takes ownership of the client. */
    S3ObjectBucket(S3Client client, String bucket) {
        this.client = client;
        this.bucket = bucket;
    }

    @Override
    public void put(String key, FileSlice slice, String contentType) throws IOException {
        Map<String, String> metadata = Map.of(CHECKSUM, checksum(slice));
        try (FileSliceContent content = new FileSliceContent(slice)) {
            client.putObject(
                    request ->
                            request.bucket(bucket)
                                    .key(key)
                                    .contentType(contentType)
                                    .metadata(metadata),
                    content.body(contentType));
        } catch (SdkException e) {
            throw S3Failures.of(e);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static String checksum(FileSlice slice) throws IOException {
        CRC32C sum = new CRC32C();
        try (InputStream in = new CheckedInputStream(FileSliceStream.open(slice), sum)) {
            in.transferTo(OutputStream.nullOutputStream());
        }
        return text(sum);
    }

    private static String text(CRC32C sum) {
        return "%08x".formatted(sum.getValue());
    }

    @Override
    public long fetch(String key, Path to) throws IOException {
        return fetch(key, to, OptionalLong.empty());
    }

    @Override
    public long fetch(String key, Path to, long sizeBytes) throws IOException {
        return fetch(key, to, OptionalLong.of(sizeBytes));
    }

    private long fetch(String key, Path to, OptionalLong expectedBytes) throws IOException {
        CRC32C sum = new CRC32C();
        try (ResponseInputStream<GetObjectResponse> in =
                        client.getObject(request -> request.bucket(bucket).key(key));
                OutputStream out =
                        new CheckedOutputStream(
                                new BufferedOutputStream(
                                        Files.newOutputStream(
                                                to,
                                                StandardOpenOption.CREATE_NEW,
                                                StandardOpenOption.WRITE),
                                        WRITTEN_AT_ONCE),
                                sum)) {
            Long announced = in.response().contentLength();
            if (expectedBytes.isPresent()
                    && (announced == null || announced != expectedBytes.getAsLong())) {
                // What is not read would be, to keep the connection.
                in.abort();
                throw new StorageException(
                        Kind.DAMAGED,
                        "endpoint",
                        "%s bytes (expected: %d)".formatted(announced, expectedBytes.getAsLong()));
            }
            long bytes = in.transferTo(out);
            check(in.response(), bytes, sum);
            return bytes;
        } catch (NoSuchKeyException e) {
            NoSuchFileException missing = new NoSuchFileException(key);
            missing.initCause(e);
            throw missing;
        } catch (SdkException e) {
            throw S3Failures.of(e);
        }
    }

    /** A copy of a bucket that some tool has made may lack the checksum: then the length counts. */
    private static void check(GetObjectResponse head, long bytes, CRC32C sum)
            throws StorageException {
        Long announced = head.contentLength();
        if (announced == null || announced != bytes) {
            throw new StorageException(
                    Kind.DAMAGED,
                    "endpoint",
                    "%d bytes came (expected: %s)".formatted(bytes, announced));
        }
        String stored = head.metadata().getOrDefault(CHECKSUM, text(sum));
        if (!stored.equals(text(sum))) {
            throw new StorageException(
                    Kind.DAMAGED, "endpoint", "the content is not what was stored");
        }
    }

    @Override
    public void visit(String prefix, ObjLongConsumer<String> visitor) throws StorageException {
        try {
            client.listObjectsV2Paginator(request -> request.bucket(bucket).prefix(prefix))
                    .contents()
                    .forEach(object -> visitor.accept(object.key(), object.size()));
        } catch (SdkException e) {
            throw S3Failures.of(e);
        }
    }

    @Override
    public void delete(Collection<String> keys) throws StorageException {
        List<String> all = new ArrayList<>(keys);
        for (int from = 0; from < all.size(); from += DELETED_AT_ONCE) {
            deleteSome(all.subList(from, Math.min(all.size(), from + DELETED_AT_ONCE)));
        }
    }

    private void deleteSome(List<String> keys) throws StorageException {
        List<ObjectIdentifier> objects =
                keys.stream().map(key -> ObjectIdentifier.builder().key(key).build()).toList();
        try {
            DeleteObjectsResponse answer =
                    client.deleteObjects(
                            request ->
                                    request.bucket(bucket)
                                            .delete(some -> some.objects(objects).quiet(true)));
            if (!answer.errors().isEmpty()) {
                throw new StorageException(
                        Kind.FAILED,
                        "endpoint",
                        answer.errors().size() + " objects were not deleted");
            }
        } catch (S3Exception e) {
            if (!lacksBulkDelete(e)) {
                throw S3Failures.of(e);
            }
            deleteEach(keys);
        } catch (SdkException e) {
            throw S3Failures.of(e);
        }
    }

    /** Some stores have no such call, or want another checksum with it. */
    private static boolean lacksBulkDelete(S3Exception answer) {
        int status = answer.statusCode();
        return status == BAD_REQUEST || status == LENGTH_REQUIRED || status == NOT_IMPLEMENTED;
    }

    private void deleteEach(List<String> keys) throws StorageException {
        try {
            for (String key : keys) {
                client.deleteObject(request -> request.bucket(bucket).key(key));
            }
        } catch (SdkException e) {
            throw S3Failures.of(e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
