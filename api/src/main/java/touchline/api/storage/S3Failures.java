package touchline.api.storage;

import java.io.InterruptedIOException;
import java.util.Map;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import touchline.api.egress.EgressException;
import touchline.api.storage.StorageException.Kind;

/** Describes failures of a store, without the store's own text. Stateless. */
final class S3Failures {
    private static final String ENDPOINT = "endpoint";
    private static final String SECRET_KEY = "storage_sk";
    private static final int TIMEOUT = 408;
    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;

    private record Meaning(String setting, String text) {}

    private static final Map<String, Meaning> MEANINGS =
            Map.of(
                    "NoSuchBucket", new Meaning("bucket", "the bucket does not exist"),
                    "InvalidBucketName", new Meaning("bucket", "the bucket's name is not valid"),
                    "InvalidAccessKeyId", new Meaning("storage_ak", "the access key is not known"),
                    "SignatureDoesNotMatch", new Meaning(SECRET_KEY, "the secret key is wrong"),
                    "AccessDenied", new Meaning(SECRET_KEY, "the keys have no right to do this"),
                    "RequestTimeTooSkewed",
                            new Meaning(ENDPOINT, "the store's clock differs from this host's"),
                    "PermanentRedirect", new Meaning("region", "the bucket lies in another region"),
                    "AuthorizationHeaderMalformed",
                            new Meaning("region", "the region is another one"),
                    "NoSuchKey", new Meaning("bucket", "the object is not there"));

    private S3Failures() {}

    static StorageException of(SdkException failure) {
        if (failure instanceof AwsServiceException answer && answer.statusCode() > 0) {
            return answered(answer);
        }
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof EgressException egress) {
                return new StorageException(
                        kind(egress), ENDPOINT, String.valueOf(egress.getMessage()), failure);
            }
            if (cause instanceof InterruptedIOException || cause instanceof InterruptedException) {
                return new StorageException(Kind.FAILED, ENDPOINT, "interrupted", failure);
            }
        }
        return new StorageException(
                Kind.FAILED, ENDPOINT, "the store cannot be reached, or does not answer", failure);
    }

    private static Kind kind(EgressException failure) {
        return switch (failure.kind()) {
            case REFUSED -> Kind.REFUSED;
            case UNRESOLVED -> Kind.UNRESOLVED;
            case UNREACHABLE, TIMEOUT, TLS, TOO_LARGE, STATUS, BROKEN -> Kind.FAILED;
        };
    }

    private static StorageException answered(AwsServiceException answer) {
        int status = answer.statusCode();
        String code =
                answer.awsErrorDetails() == null
                        ? ""
                        : String.valueOf(answer.awsErrorDetails().errorCode());
        Meaning meaning = MEANINGS.get(code);
        boolean passing =
                status >= 500 || status == TIMEOUT || status == TOO_MANY || status == CONFLICT;
        if (meaning == null) {
            meaning = byStatus(status);
        }
        return new StorageException(
                passing ? Kind.FAILED : Kind.REFUSED, meaning.setting(), meaning.text(), answer);
    }

    private static Meaning byStatus(int status) {
        return switch (status) {
            case 401, 403 -> new Meaning(SECRET_KEY, "the store refuses the keys (" + status + ")");
            case 404 -> new Meaning("bucket", "there is no such bucket (404)");
            default -> new Meaning(ENDPOINT, "the store answers " + status);
        };
    }
}
