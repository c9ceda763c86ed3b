package touchline.api.http;

/**
 * One bad field of a request.
 *
 * @param field JSON path ({@code audit_settings.models.nude}), query parameter or header name;
 *     empty for the body as a whole
 * @param reason the value and the expected one; never a secret
 */
public record FieldError(String field, String reason) {}
