package touchline.benchmarks.s3;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/**
 * Writes down how long each PUT takes, from its head to the stored object: the body is received
 * meanwhile. A line each, in microseconds. Any thread.
 */
final class TimedPuts extends ForwardingBlobStore {
    @GuardedBy("this")
    private final Writer times;

    TimedPuts(BlobStore objects, Path times) throws IOException {
        super(objects);
        this.times =
                Files.newBufferedWriter(
                        times, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Override
    public PutObjectResponse putBlob(PutObjectRequest request, InputStream content) {
        long startNs = System.nanoTime();
        PutObjectResponse response = super.putBlob(request, content);
        add((System.nanoTime() - startNs) / 1_000);
        return response;
    }

    private synchronized void add(long us) {
        try {
            times.write(us + "\n");
            times.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
