package touchline.benchmarks.s3;

import java.net.URI;
import java.nio.file.Path;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

/** The process of {@link S3Process}: S3Proxy with one bucket in a folder. */
public final class S3Main {
    private S3Main() {}

    /**
     * @param args folder of the objects, port, file for the times of uploads
     */
    public static void main(String[] args) throws Exception {
        BlobStore objects = new FilesystemNio2BlobStore(args[0]);
        objects.createContainer(S3Process.BUCKET);
        S3Proxy proxy =
                S3Proxy.builder()
                        .endpoint(URI.create("http://127.0.0.1:" + args[1]))
                        .awsAuthentication(
                                AuthenticationType.AWS_V2_OR_V4,
                                S3Process.ACCESS_KEY,
                                S3Process.SECRET_KEY)
                        .blobStore(new TimedPuts(objects, Path.of(args[2])))
                        .build();
        proxy.start();
    }
}
